	.file	1 "asm.c"
	.abicalls
	.text
#APP
# 1 "asm.c" 1
	.globl by_hand
	.type by_hand,@function
by_hand: jr $31; nop
	.pushsection .note.mine; .asciz "__patchable_function_entries; .LPFE1:"; .popsection
# 0 "" 2
#NO_APP
	.align	2
	.globl	first
	.section	__patchable_function_entries,"awo",@progbits,first
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
#APP
 # 3 "asm.c" 1
	nop
 # 0 "" 2
#NO_APP
	jr	$31
	move	$2,$4

	.set	macro
	.set	reorder
	.end	first
	.size	first, .-first
	.align	2
	.globl	empty
	.section	__patchable_function_entries,"awo",@progbits,first
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
	.ent	empty
	.type	empty, @function
empty:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro

	.set	macro
	.set	reorder
	.end	empty
	.size	empty, .-empty
