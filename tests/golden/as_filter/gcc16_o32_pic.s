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
	.section	__patchable_function_entries,"awo",@progbits,$LPFE1
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
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.cpload	$25
	.set	nomacro
	lw	$25,%call16(far)($28)
	.reloc	1f,R_MIPS_JALR,far
1:	jr	$25
	nop

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
	.section	__patchable_function_entries,"awo",@progbits,$LPFE2
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
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.cpload	$25
	.set	nomacro
	lw	$25,%call16(far)($28)
	.reloc	1f,R_MIPS_JALR,far
1:	jr	$25
	nop

	.set	macro
	.set	reorder
	.end	second
	.size	second, .-second
