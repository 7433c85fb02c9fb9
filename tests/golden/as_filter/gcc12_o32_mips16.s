	.file	1 "g4.c"
	.section .mdebug.abi32
	.previous
	.nan	legacy
	.module	softfloat
	.module	oddspreg
	.module	arch=mips32r2
	.abicalls
	.text
	.align	2
	.globl	small
	.section	__patchable_function_entries,"awo",@progbits,small
	.align	2
	.4byte	$LPFE1
	.text
$LPFE1:
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
	.set	mips16
	.set	nomicromips
	.ent	small
	.type	small, @function
small:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	addiu	$2,$4,1
	.set	macro
	.set	reorder

	.end	small
	.size	small, .-small
	.align	2
	.globl	normal
	.section	__patchable_function_entries,"awo",@progbits,small
	.align	2
	.4byte	$LPFE2
	.text
$LPFE2:
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
	.ent	normal
	.type	normal, @function
normal:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	addiu	$2,$4,2

	.set	macro
	.set	reorder
	.end	normal
	.size	normal, .-normal
