	.file	1 "g1.c"
	.section .mdebug.abi32
	.previous
	.nan	legacy
	.module	fp=xx
	.module	nooddspreg
	.module	arch=mips32r2
	.abicalls
	.text
	.align	2
	.section	__patchable_function_entries,"awo",@progbits,twice
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
	.set	nomips16
	.set	nomicromips
	.ent	twice
	.type	twice, @function
twice:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	sll	$2,$4,1

	.set	macro
	.set	reorder
	.end	twice
	.size	twice, .-twice
	.align	2
	.globl	near
	.section	__patchable_function_entries,"awo",@progbits,twice
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
	.ent	near
	.type	near, @function
near:
	.frame	$sp,32,$31		# vars= 0, regs= 1/0, args= 16, gp= 8
	.mask	0x80000000,-4
	.fmask	0x00000000,0
	.set	noreorder
	.cpload	$25
	.set	nomacro
	lw	$25,%got(twice)($28)
	addiu	$sp,$sp,-32
	addiu	$25,$25,%lo(twice)
	sw	$31,28($sp)
	.cprestore	16
	.reloc	1f,R_MIPS_JALR,twice
1:	jalr	$25
	nop

	lw	$28,16($sp)
	lw	$25,%call16(far)($28)
	.reloc	1f,R_MIPS_JALR,far
1:	jalr	$25
	move	$4,$2

	lw	$31,28($sp)
	addiu	$2,$2,1
	jr	$31
	addiu	$sp,$sp,32

	.set	macro
	.set	reorder
	.end	near
	.size	near, .-near
	.globl	same
	same = near
