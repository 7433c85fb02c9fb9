	.file	1 "g1.c"
	.section .mdebug.abi64
	.previous
	.nan	legacy
	.module	fp=64
	.module	oddspreg
	.module	arch=mips64r2
	.abicalls
	.text
	.align	2
	.align	3
	.section	__patchable_function_entries,"awo",@progbits,twice
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
	.align	3
	.globl	near
	.section	__patchable_function_entries,"awo",@progbits,twice
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
	.ent	near
	.type	near, @function
near:
	.frame	$sp,16,$31		# vars= 0, regs= 2/0, args= 0, gp= 0
	.mask	0x90000000,-8
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	daddiu	$sp,$sp,-16
	sd	$28,0($sp)
	lui	$28,%hi(%neg(%gp_rel(near)))
	daddu	$28,$28,$25
	daddiu	$28,$28,%lo(%neg(%gp_rel(near)))
	ld	$25,%got_page(twice)($28)
	sd	$31,8($sp)
	daddiu	$25,$25,%got_ofst(twice)
	.reloc	1f,R_MIPS_JALR,twice
1:	jalr	$25
	nop

	ld	$25,%call16(far)($28)
	.reloc	1f,R_MIPS_JALR,far
1:	jalr	$25
	move	$4,$2

	ld	$31,8($sp)
	ld	$28,0($sp)
	addiu	$2,$2,1
	jr	$31
	daddiu	$sp,$sp,16

	.set	macro
	.set	reorder
	.end	near
	.size	near, .-near
	.globl	same
	same = near
