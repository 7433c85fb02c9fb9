// The mnemonics of insn_test.cpp, as the assembler encodes them.
#if __mips_isa_rev >= 6
    .set mips64r6
#else
    .set mips64r2
#endif
    .set noreorder
    .set noat
    .set nomacro
    .section .rodata
    .align 2
    .globl insn_words
    .globl insn_words_end
insn_words:
    nop
    lui   $1,0
    lui   $1,0x5000
    lui   $12,0x7fff
    lui   $31,0xffff
    ori   $1,$0,0
    ori   $1,$0,0x8001
    ori   $1,$0,0xffff
    ori   $25,$31,0x1234
    jalr  $25,$1
    jalr  $31,$25
    jalr  $0,$14
    jalr  $0,$31
    beq   $0,$0,. + 4 + 4 * 12
    beq   $0,$0,. + 4 - 4 * 3
    dsll  $1,$1,16
    dsll  $25,$31,31
    lw    $14,64($12)
    lw    $31,-4($25)
    lw    $1,-32768($0)
    ld    $14,64($12)
    ld    $13,80($12)
    ld    $31,-8($25)
    ld    $1,32760($14)
insn_words_end:
    .section .note.GNU-stack, "", @progbits
