import { Type } from 'typebox'
import { defineModel, type ModelsOf } from '#src/index.ts'

// These functions are never called: their lines have to compile, or must not.

const settings = {
  mixins: { TimeStamp: true },
  relations: { author: { type: 'belongsTo', model: 'Author' } }
} as const

/** TypeBox 1, whose types keep a default that is added by `Type.With`. */
export const newer = {
  Author: defineModel('Author', Type.Object({ name: Type.String() }), {
    relations: { books: { type: 'hasMany', model: 'Book' } }
  }),
  Book: defineModel(
    'Book',
    Type.Object({
      title: Type.String({ minLength: 1 }),
      status: Type.With(Type.Union([Type.Literal('draft'), Type.Literal('live')]), { default: 'draft' }),
      pages: Type.Optional(Type.Integer()),
      place: Type.Optional(Type.Object({ city: Type.String() }))
    }),
    settings
  )
}

/** Plain JSON Schema. */
export const plain = {
  Author: defineModel(
    'Author',
    { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    { relations: { books: { type: 'hasMany', model: 'Book' } } }
  ),
  Book: defineModel(
    'Book',
    {
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 1 },
        status: { enum: ['draft', 'live'], default: 'draft' },
        pages: { type: 'integer' },
        place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
      },
      required: ['title', 'status']
    },
    settings
  )
}

export async function checkNewer({ Book, Author }: ModelsOf<typeof newer>): Promise<void> {
  const book = await Book.create({ title: 'x', authorId: 3 })
  const values: ['draft' | 'live', Date, number | null | undefined] = [book.status, book.createdAt, book.authorId]
  // @ts-expect-error a title is required
  await Book.create({ status: 'live' })
  // @ts-expect-error there is no such status
  await Book.create({ title: 'x', status: 'gone' })
  await Book.find({ where: { 'place.city': 'x', 'author.name': 'Ann', pages: { gt: 2 } }, order: 'author.name DESC' })
  // @ts-expect-error there is no such path
  await Book.find({ where: { 'place.citty': 'x' } })
  const author = await Author.findOne({ include: 'books', fields: ['name'] })
  const title: string | undefined = author?.toJSON().books[0]?.title
  // @ts-expect-error the field was left out
  const id = author?.id
  void [values, title, id]
}

export async function checkPlain({ Book, Author }: ModelsOf<typeof plain>): Promise<void> {
  const book = await Book.create({ title: 'x', authorId: 3 })
  const values: ['draft' | 'live', Date, number | null | undefined] = [book.status, book.createdAt, book.authorId]
  // @ts-expect-error a title is required
  await Book.create({ status: 'live' })
  // @ts-expect-error there is no such status
  await Book.create({ title: 'x', status: 'gone' })
  await Book.find({ where: { 'place.city': 'x', 'author.name': 'Ann', pages: { gt: 2 } }, order: 'author.name DESC' })
  // @ts-expect-error there is no such path
  await Book.find({ where: { 'place.citty': 'x' } })
  const author = await Author.findOne({ include: 'books', fields: ['name'] })
  const title: string | undefined = author?.toJSON().books[0]?.title
  // @ts-expect-error the field was left out
  const id = author?.id
  void [values, title, id]
}
