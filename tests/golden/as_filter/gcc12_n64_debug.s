	.section .mdebug.abi64
	.previous
	.nan	legacy
	.module	fp=64
	.module	oddspreg
	.module	arch=mips64r2
	.abicalls
	.text
.Ltext0:
	.file 1 "g1.c"
	.align	2
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
.LFB0 = .
	.loc 1 2 51
	.cfi_startproc
	.set	nomips16
	.set	nomicromips
	.ent	twice
	.type	twice, @function
twice:
	.frame	$fp,32,$31		# vars= 16, regs= 1/0, args= 0, gp= 0
	.mask	0x40000000,-8
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	daddiu	$sp,$sp,-32
	.cfi_def_cfa_offset 32
	sd	$fp,24($sp)
	.cfi_offset 30, -8
	move	$fp,$sp
	.cfi_def_cfa_register 30
	move	$2,$4
	sll	$2,$2,0
	sw	$2,0($fp)
	.loc 1 2 62
	lw	$2,0($fp)
	sll	$2,$2,1
	.loc 1 2 67
	move	$sp,$fp
	.cfi_def_cfa_register 29
	ld	$fp,24($sp)
	daddiu	$sp,$sp,32
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	jr	$31
	nop

	.set	macro
	.set	reorder
	.end	twice
	.cfi_endproc
.LFE0:
	.size	twice, .-twice
	.align	2
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
.LFB1 = .
	.loc 1 3 17
	.cfi_startproc
	.set	nomips16
	.set	nomicromips
	.ent	near
	.type	near, @function
near:
	.frame	$fp,48,$31		# vars= 16, regs= 3/0, args= 0, gp= 0
	.mask	0xd0000000,-8
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	daddiu	$sp,$sp,-48
	.cfi_def_cfa_offset 48
	sd	$31,40($sp)
	sd	$fp,32($sp)
	sd	$28,24($sp)
	.cfi_offset 31, -8
	.cfi_offset 30, -16
	.cfi_offset 28, -24
	move	$fp,$sp
	.cfi_def_cfa_register 30
	lui	$28,%hi(%neg(%gp_rel(near)))
	daddu	$28,$28,$25
	daddiu	$28,$28,%lo(%neg(%gp_rel(near)))
	move	$2,$4
	sll	$2,$2,0
	sw	$2,0($fp)
	.loc 1 3 26
	lw	$2,0($fp)
	move	$4,$2
	ld	$2,%got_page(twice)($28)
	daddiu	$2,$2,%got_ofst(twice)
	move	$25,$2
	.reloc	1f,R_MIPS_JALR,twice
1:	jalr	$25
	nop

.LVL0 = .
	move	$4,$2
	ld	$2,%call16(far)($28)
	move	$25,$2
	.reloc	1f,R_MIPS_JALR,far
1:	jalr	$25
	nop

.LVL1 = .
	.loc 1 3 40
	addiu	$2,$2,1
	.loc 1 3 45
	move	$sp,$fp
	.cfi_def_cfa_register 29
	ld	$31,40($sp)
	ld	$fp,32($sp)
	ld	$28,24($sp)
	daddiu	$sp,$sp,48
	.cfi_restore 28
	.cfi_restore 30
	.cfi_restore 31
	.cfi_def_cfa_offset 0
	jr	$31
	nop

	.set	macro
	.set	reorder
	.end	near
	.cfi_endproc
.LFE1:
	.size	near, .-near
	.globl	same
	same = near
.Letext0:
