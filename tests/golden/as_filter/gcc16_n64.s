	.file	1 "last.c"
	.abicalls
	.text
	.align	2
	.globl	first
	.set	nomips16
	.set	nomicromips
	.ent	first
	.type	first, @function
first:
	.section	__patchable_function_entries,"awo",@progbits,.LPFE1
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
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	move	$2,$4

	.set	macro
	.set	reorder
	.end	first
	.size	first, .-first
	.align	2
	.globl	second
	.set	nomips16
	.set	nomicromips
	.ent	second
	.type	second, @function
second:
	.section	__patchable_function_entries,"awo",@progbits,.LPFE2
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
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	move	$2,$4

	.set	macro
	.set	reorder
	.end	second
	.size	second, .-second
