	.text
.LPFE1:
	nop
	nop
	nop
	jr	$31
	nop
.LPFE2:
	nop
	.section	.rodata
	.ent	f
f:
	.text
	.section	__patchable_function_entries,"awo?",@progbits,f
	.8byte	.LPFE2
	.text
.LPFE3:
	.set	noreorder
	nop
	.set	reorder
	.ent	g
