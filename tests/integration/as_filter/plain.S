# Holds no sleds, so the real assembler must see just this file. __patchable is not the word.
	.text
	.globl	plain
	.ent	plain
	.type	plain, @function
plain:	jr	$31
	.end	plain
	.size	plain, .-plain
