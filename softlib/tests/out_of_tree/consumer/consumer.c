/* SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <softlib/softlib.h>

#include <string.h>

static int build(void *context, const void *argument, soft_builder *builder)
{
	++*(int *)context;
	return soft_build(builder, argument, strlen(argument) + 1);
}

int main(void)
{
	int built = 0, wrong = 0;
	soft_heap *heap = soft_heap_create((size_t)8 << 20, 0);
	soft_pool *pool = soft_pool_create(heap, "texts", build, &built);
	soft_object *text = soft_object_create(pool);
	char read[10];

	wrong |= soft_read(text, "hello", read, sizeof(read), NULL) != 0 || strcmp(read, "hello") != 0;
	soft_heap_seal(heap);
	wrong |= soft_heap_lose_pages(heap, 1, 1) == 0;
	wrong |= soft_read(text, "again", read, sizeof(read), NULL) != 0 || strcmp(read, "again") != 0;
	soft_object_destroy(text);
	soft_pool_destroy(pool);
	soft_heap_destroy(heap);
	return wrong || built != 2;
}
