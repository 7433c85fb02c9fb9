	.file	1 "g2.c"
	.section .mdebug.abi64
	.previous
	.nan	legacy
	.module	fp=64
	.module	oddspreg
	.module	arch=mips64r2
	.abicalls

 # -G value = 0, Arch = mips64r2, ISA = 65
 # GNU C17 (Debian 12.2.0-14) version 12.2.0 (mips64el-linux-gnuabi64)
 #	compiled by GNU C version 12.2.0, GMP version 6.2.1, MPFR version 4.2.0, MPC version 1.3.1, isl version isl-0.25-GMP

 # GGC heuristics: --param ggc-min-expand=100 --param ggc-min-heapsize=131072
 # options passed: -mel -march=mips64r2 -mllsc -mno-madd4 -mips64r2 -mabi=64 -O2 -fpatchable-function-entry=3
	.text
	.align	2
	.align	3
	.section	__patchable_function_entries,"awo",@progbits,add.0
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
	.ent	add.0
	.type	add.0, @function
add.0:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	lw	$2,0($15)		 #, CHAIN.2_2(D)->x
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	jr	$31	 #
	addu	$2,$2,$4	 #, CHAIN.2_2(D)->x, tmp201

	.set	macro
	.set	reorder
	.end	add.0
	.size	add.0, .-add.0
	.globl	_flush_cache
	.align	2
	.align	3
	.globl	sum
	.section	__patchable_function_entries,"awo",@progbits,add.0
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
	.ent	sum
	.type	sum, @function
sum:
	.frame	$sp,96,$31		# vars= 64, regs= 3/0, args= 0, gp= 0
	.mask	0x90010000,-8
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	daddiu	$sp,$sp,-96	 #,,
	sd	$28,80($sp)	 #,
	lui	$28,%hi(%neg(%gp_rel(sum)))	 #,
	move	$3,$4	 # tmp217, x
	daddu	$28,$28,$25	 #,,
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	li	$2,2097152			# 0x200000	 # tmp207,
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	daddiu	$28,$28,%lo(%neg(%gp_rel(sum)))	 #,,
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	addiu	$7,$2,8	 # tmp206, tmp207,
	sw	$3,0($sp)	 # tmp217, FRAME.1.x
	ori	$2,$2,0xc82d	 # tmp208, tmp207,
	li	$3,-551485440			# 0xffffffffdf210000	 # tmp203,
	sw	$2,20($sp)	 # tmp208, FRAME.1.add
	addiu	$3,$3,24	 # tmp202, tmp203,
	ld	$2,%got_page(add.0)($28)	 # tmp211,,
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	sd	$16,72($sp)	 #,
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	ld	$25,%call16(_flush_cache)($28)	 # tmp213,,
	daddiu	$16,$sp,8	 # tmp200,,
	sw	$3,8($sp)	 # tmp202, FRAME.1.add
	daddiu	$5,$sp,40	 # tmp201,,
	li	$3,-550567936			# 0xffffffffdf2f0000	 # tmp205,
	daddiu	$8,$sp,96	 # tmp220,,
	move	$4,$16	 #, tmp200
	dsubu	$5,$5,$16	 #, tmp201, tmp200
	addiu	$3,$3,16	 # tmp204, tmp205,
	daddiu	$2,$2,%got_ofst(add.0)	 # tmp210, tmp211,
	li	$6,3			# 0x3	 #,
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	sd	$31,88($sp)	 #,
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	sd	$8,40($sp)	 # tmp220, FRAME.1.FRAME_BASE.PARENT
	sw	$3,12($sp)	 # tmp204, FRAME.1.add
	sw	$7,16($sp)	 # tmp206, FRAME.1.add
	sd	$2,32($sp)	 # tmp210, FRAME.1.add
	.reloc	1f,R_MIPS_JALR,_flush_cache	 #
1:	jalr	$25	 # tmp213
	sd	$sp,24($sp)	 #, FRAME.1.add

 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	sd	$16,48($sp)	 # tmp200, p
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	ld	$25,48($sp)		 # p.0_1, p
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	jalr	$25	 # p.0_1
	li	$4,1			# 0x1	 #,

 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	ld	$31,88($sp)		 #,
	ld	$28,80($sp)		 #,
	ld	$16,72($sp)		 #,
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
 # g2.c:1: int sum(int x) { int add(int y) { return x + y; } int (*volatile p)(int) = add; return p(1); }
	jr	$31	 #
	daddiu	$sp,$sp,96	 #,,

	.set	macro
	.set	reorder
	.end	sum
	.size	sum, .-sum
