	.file	1 "late.cc"
	.abicalls
	.text
	.align	2
	.globl	first
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
	.set	nomips16
	.set	nomicromips
	.ent	first
	.type	first, @function
first:
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
	.section	.text._Z6sharedi,"axG",@progbits,_Z6sharedi,comdat
	.align	2
	.globl	_Z6sharedi
	.section	__patchable_function_entries,"awoG",@progbits,.LPFE2,_Z6sharedi,comdat
	.align	3
	.8byte	.LPFE2
	.section	.text._Z6sharedi,"axG",@progbits,_Z6sharedi,comdat
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
	.ent	_Z6sharedi
	.type	_Z6sharedi, @function
_Z6sharedi:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	move	$2,$4

	.set	macro
	.set	reorder
	.end	_Z6sharedi
	.size	_Z6sharedi, .-_Z6sharedi
	.section	.text._Z5otheri,"axG",@progbits,_Z5otheri,comdat
	.align	2
	.globl	_Z5otheri
	.section	__patchable_function_entries,"awo",@progbits,.LPFE3
	.align	3
	.8byte	.LPFE3
	.section	.text._Z5otheri,"axG",@progbits,_Z5otheri,comdat
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
	.ent	_Z5otheri
	.type	_Z5otheri, @function
_Z5otheri:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	move	$2,$4

	.set	macro
	.set	reorder
	.end	_Z5otheri
	.size	_Z5otheri, .-_Z5otheri
