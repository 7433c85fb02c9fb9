	.file	1 "odd.c"
	.abicalls
	.text
	.align	2
	.globl	"a b: #;,x"
	.section	__patchable_function_entries,"awo",@progbits,"a b: #;,x"
	.align	3
	.8byte	.LPFE1
	.text
.LPFE1:
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
	.set	nomips16
	.set	nomicromips
	.ent	"a b: #;,x"
	.type	"a b: #;,x", @function
"a b: #;,x":
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	move	$2,$4

	.set	macro
	.set	reorder
	.end	"a b: #;,x"
	.size	"a b: #;,x", .-"a b: #;,x"
	.align	2
	.globl	dollar$name
	.section	__patchable_function_entries,"awo",@progbits,"a b: #;,x"
	.align	3
	.8byte	.LPFE2
	.text
.LPFE2:
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
	.set	nomips16
	.set	nomicromips
	.ent	dollar$name
	.type	dollar$name, @function
dollar$name:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	move	$2,$4

	.set	macro
	.set	reorder
	.end	dollar$name
	.size	dollar$name, .-dollar$name
	.align	2
	.globl	naïve.constprop.0
	.section	__patchable_function_entries,"awo",@progbits,"a b: #;,x"
	.align	3
	.8byte	.LPFE3
	.text
.LPFE3:
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
	.set	nomips16
	.set	nomicromips
	.ent	naïve.constprop.0
	.type	naïve.constprop.0, @function
naïve.constprop.0:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	move	$2,$4

	.set	macro
	.set	reorder
	.end	naïve.constprop.0
	.size	naïve.constprop.0, .-naïve.constprop.0
	.align	2
	.globl	again
	.section	__patchable_function_entries,"awo",@progbits,"a b: #;,x"
	.align	3
	.8byte	.LPFE4
	.text
.LPFE4:
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
	.set	nomips16
	.set	nomicromips
	.ent	again
	.type	again, @function
again:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	move	$2,$4

	.set	macro
	.set	reorder
	.end	again
	.size	again, .-again
