	.file	1 "g3.cc"
	.section .mdebug.abi64
	.previous
	.nan	legacy
	.module	fp=64
	.module	oddspreg
	.module	arch=mips64r2
	.abicalls
	.text
	.section	.text._ZN1S1vEv,"axG",@progbits,_ZN1S1vEv,comdat
	.align	2
	.align	3
	.weak	_ZN1S1vEv
	.section	__patchable_function_entries,"awo",@progbits,_ZN1S1vEv
	.align	3
	.8byte	.LPFE1
	.section	.text._ZN1S1vEv,"axG",@progbits,_ZN1S1vEv,comdat
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
.LFB1 = .
	.cfi_startproc
	.set	nomips16
	.set	nomicromips
	.ent	_ZN1S1vEv
	.type	_ZN1S1vEv, @function
_ZN1S1vEv:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	li	$2,1			# 0x1

	.set	macro
	.set	reorder
	.end	_ZN1S1vEv
	.cfi_endproc
.LFE1:
	.size	_ZN1S1vEv, .-_ZN1S1vEv
	.text
	.align	2
	.align	3
	.globl	_ZN1SD2Ev
	.section	__patchable_function_entries,"awo",@progbits,_ZN1S1vEv
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
.LFB3 = .
	.cfi_startproc
	.set	nomips16
	.set	nomicromips
	.ent	_ZN1SD2Ev
	.type	_ZN1SD2Ev, @function
_ZN1SD2Ev:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	nop

	.set	macro
	.set	reorder
	.end	_ZN1SD2Ev
	.cfi_endproc
.LFE3:
	.size	_ZN1SD2Ev, .-_ZN1SD2Ev
	.globl	_ZN1SD1Ev
	_ZN1SD1Ev = _ZN1SD2Ev
	.align	2
	.align	3
	.globl	_ZN1SD0Ev
	.section	__patchable_function_entries,"awo",@progbits,_ZN1S1vEv
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
.LFB5 = .
	.cfi_startproc
	.set	nomips16
	.set	nomicromips
	.ent	_ZN1SD0Ev
	.type	_ZN1SD0Ev, @function
_ZN1SD0Ev:
	.frame	$sp,16,$31		# vars= 0, regs= 2/0, args= 0, gp= 0
	.mask	0x90000000,-8
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	daddiu	$sp,$sp,-16
	.cfi_def_cfa_offset 16
	sd	$28,0($sp)
	.cfi_offset 28, -16
	lui	$28,%hi(%neg(%gp_rel(_ZN1SD0Ev)))
	daddu	$28,$28,$25
	daddiu	$28,$28,%lo(%neg(%gp_rel(_ZN1SD0Ev)))
	ld	$25,%call16(_ZdlPvm)($28)
	sd	$31,8($sp)
	.cfi_offset 31, -8
	.reloc	1f,R_MIPS_JALR,_ZdlPvm
1:	jalr	$25
	li	$5,8			# 0x8

	ld	$31,8($sp)
	ld	$28,0($sp)
	jr	$31
	daddiu	$sp,$sp,16

	.cfi_def_cfa_offset 0
	.cfi_restore 28
	.cfi_restore 31
	.set	macro
	.set	reorder
	.end	_ZN1SD0Ev
	.cfi_endproc
.LFE5:
	.size	_ZN1SD0Ev, .-_ZN1SD0Ev
	.section	.text._Z6sharedIiET_S0_,"axG",@progbits,_Z6sharedIiET_S0_,comdat
	.align	2
	.align	3
	.weak	_Z6sharedIiET_S0_
	.section	__patchable_function_entries,"awo",@progbits,_ZN1S1vEv
	.align	3
	.8byte	.LPFE4
	.section	.text._Z6sharedIiET_S0_,"axG",@progbits,_Z6sharedIiET_S0_,comdat
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
.LFB7 = .
	.cfi_startproc
	.set	nomips16
	.set	nomicromips
	.ent	_Z6sharedIiET_S0_
	.type	_Z6sharedIiET_S0_, @function
_Z6sharedIiET_S0_:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	jr	$31
	move	$2,$4

	.set	macro
	.set	reorder
	.end	_Z6sharedIiET_S0_
	.cfi_endproc
.LFE7:
	.size	_Z6sharedIiET_S0_, .-_Z6sharedIiET_S0_
	.text
	.align	2
	.align	3
	.globl	_Z3owni
	.section	__patchable_function_entries,"awo",@progbits,_ZN1S1vEv
	.align	3
	.8byte	.LPFE5
	.text
.LPFE5:
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
	.set	noreorder
	nop
	.set	reorder
.LFB6 = .
	.cfi_startproc
	.set	nomips16
	.set	nomicromips
	.ent	_Z3owni
	.type	_Z3owni, @function
_Z3owni:
	.frame	$sp,0,$31		# vars= 0, regs= 0/0, args= 0, gp= 0
	.mask	0x00000000,0
	.fmask	0x00000000,0
	.set	noreorder
	.set	nomacro
	lui	$3,%hi(%neg(%gp_rel(_Z3owni)))
	daddu	$3,$3,$25
	daddiu	$3,$3,%lo(%neg(%gp_rel(_Z3owni)))
	ld	$25,%got_disp(_Z6sharedIiET_S0_)($3)
	.reloc	1f,R_MIPS_JALR,_Z6sharedIiET_S0_
1:	jr	$25
	nop

	.set	macro
	.set	reorder
	.end	_Z3owni
	.cfi_endproc
.LFE6:
	.size	_Z3owni, .-_Z3owni
	.weak	_ZTS1S
	.section	.rodata._ZTS1S,"aG",@progbits,_ZTS1S,comdat
	.align	3
	.type	_ZTS1S, @object
	.size	_ZTS1S, 3
_ZTS1S:
	.ascii	"1S\000"
	.weak	_ZTI1S
	.section	.data.rel.ro._ZTI1S,"awG",@progbits,_ZTI1S,comdat
	.align	3
	.type	_ZTI1S, @object
	.size	_ZTI1S, 16
_ZTI1S:
	.dword	_ZTVN10__cxxabiv117__class_type_infoE+16
	.dword	_ZTS1S
	.weak	_ZTV1S
	.section	.data.rel.ro.local._ZTV1S,"awG",@progbits,_ZTV1S,comdat
	.align	3
	.type	_ZTV1S, @object
	.size	_ZTV1S, 40
_ZTV1S:
	.dword	0
	.dword	_ZTI1S
	.dword	_ZN1SD1Ev
	.dword	_ZN1SD0Ev
	.dword	_ZN1S1vEv
