import type { ModelDefinition } from '@modelwire/core'
import type { AnyModel, TestApp } from './make-app.ts'

/** Authors write books, which have reviews and tags; every author has one agent. */
export const library: readonly ModelDefinition[] = [
  {
    name: 'Author',
    properties: { name: { type: 'string', required: true }, secret: { type: 'string', hidden: true } },
    relations: {
      books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' },
      agent: { type: 'hasOne', model: 'Agent' },
      tags: { type: 'hasAndBelongsToMany', model: 'Tag' }
    }
  },
  {
    name: 'Book',
    properties: { title: 'string', year: 'number', notes: 'string' },
    protected: ['notes'],
    relations: {
      author: { type: 'belongsTo', model: 'Author' },
      reviews: { type: 'hasMany', model: 'Review' }
    }
  },
  {
    name: 'Review',
    properties: { stars: 'number' },
    relations: { book: { type: 'belongsTo', model: 'Book' } }
  },
  { name: 'Agent', properties: { phone: 'string' } },
  {
    name: 'Tag',
    properties: { label: 'string' },
    relations: { authors: { type: 'hasAndBelongsToMany', model: 'Author' } }
  }
]

/** Fills the library: Ann wrote books 1 to 3, Bob book 4, Cy none. */
export async function fillLibrary({ model, calls }: Pick<TestApp, 'model' | 'calls'>): Promise<void> {
  const create = (name: string, list: readonly object[]) => model(name).create(list)
  await create('Author', [{ name: 'Ann', secret: 'x' }, { name: 'Bob' }, { name: 'Cy' }])
  await create('Book', [
    { title: 'C', year: 2001, authorId: 1, notes: 'n' },
    { title: 'A', year: 2003, authorId: 1 },
    { title: 'B', year: 2002, authorId: 1 },
    { title: 'D', year: 2004, authorId: 2 }
  ])
  await create('Review', [
    { stars: 5, bookId: 1 },
    { stars: 1, bookId: 1 },
    { stars: 3, bookId: 4 }
  ])
  await create('Agent', [{ phone: '1', authorId: 2 }])
  await create('Tag', [{ label: 'red' }, { label: 'blue' }])
  await create('TagAuthor', [
    { authorId: 1, tagId: 2 },
    { authorId: 1, tagId: 1 },
    { authorId: 2, tagId: 1 }
  ])
  calls.length = 0
}

/** A record by its id. */
export async function recordOf(model: AnyModel, id: unknown): Promise<Record<string, never>> {
  return (await model.findById(id)) as unknown as Record<string, never>
}
