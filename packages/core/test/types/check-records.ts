import { Type } from '@sinclair/typebox'
import { defineModel, type ModelsOf } from '#src/index.ts'

// These functions are never called: their lines have to compile, or must not.

/** Models whose types the lines below are about. */
export const models = {
  Author: defineModel('Author', Type.Object({ name: Type.String() }), {
    relations: { books: { type: 'hasMany', model: 'Book' } }
  }),
  Book: defineModel(
    'Book',
    Type.Object({
      title: Type.String({ minLength: 1 }),
      status: Type.Union([Type.Literal('draft'), Type.Literal('live')], { default: 'draft' }),
      copies: Type.Integer({ default: 0 }),
      pages: Type.Optional(Type.Integer()),
      place: Type.Optional(Type.Object({ city: Type.String() }))
    }),
    {
      mixins: { TimeStamp: { updatedAt: 'changedAt' } },
      relations: {
        author: { type: 'belongsTo', model: 'Author' },
        reviews: { type: 'hasMany', model: 'Review' }
      }
    }
  ),
  Novel: defineModel('Novel', Type.Object({ weight: Type.Number() }), { base: 'Book' }),
  Review: defineModel('Review', Type.Object({ text: Type.String() }))
}
type Models = ModelsOf<typeof models>

export async function writes({ Book, Novel, Review }: Models): Promise<void> {
  const book = await Book.create({ title: 'x' })
  const filled: ['draft' | 'live', number, Date, Date] = [book.status, book.copies, book.createdAt, book.changedAt]
  // @ts-expect-error a title is required
  await Book.create({})
  // @ts-expect-error there is no such property
  await Book.create({ title: 'x', titel: 'y' })
  // @ts-expect-error an optional property may be absent
  const pages: number = book.pages
  const review = await Review.create({ text: 'x', bookId: book.id })
  const keys: (number | null | undefined)[] = [book.authorId, review.bookId]
  const novel = await Novel.create({ title: 'x', weight: 2 })
  const inherited: ['draft' | 'live', Date, number] = [novel.status, novel.createdAt, novel.weight]
  // @ts-expect-error another type
  await book.patchAttributes({ copies: 'x' })
  // @ts-expect-error there is no such property
  await Book.updateAll({ statsu: 'live' }, { copies: 1 })
  // @ts-expect-error there is no such property
  await book.reviews.create({ txt: 'x' })
  void [filled, pages, keys, inherited]
}

export async function conditions({ Book }: Models): Promise<void> {
  await Book.find({ where: { title: { like: 'x%' }, copies: { between: [1, 2] }, createdAt: { gt: new Date() } } })
  await Book.find({ where: { or: [{ 'author.name': { inq: ['Ann'] } }, { 'place.city': 'Bonn' }] } })
  await Book.find({ where: { title: { startsWith: 'x' } } })
  // @ts-expect-error a text starts with a text
  await Book.find({ where: { title: { startsWith: /x/ } } })
  await Book.find({ where: { 'reviews.text': { like: 'x' }, author: { books: { status: 'live' } } } })
  // @ts-expect-error there is no such operator
  await Book.find({ where: { copies: { gtt: 1 } } })
  // @ts-expect-error another type
  await Book.find({ where: { copies: { gt: 'x' } } })
  // @ts-expect-error there is no such status
  await Book.find({ where: { status: { inq: ['gone'] } } })
  // @ts-expect-error there is no such property
  await Book.find({ where: { or: [{ titel: 'x' }] } })
  // @ts-expect-error there is no such path
  await Book.find({ where: { 'author.nam': 'Ann' } })
  // @ts-expect-error a city is a text
  await Book.find({ where: { 'place.city': 5 } })
  // @ts-expect-error the name of an author is a text
  await Book.find({ where: { 'author.name': { gt: 5 } } })
  // @ts-expect-error there is no such part of a filter
  await Book.find({ wher: {} })
  await Book.find({ order: ['title ASC', 'author.name', 'createdAt DESC', 'authorId', 'id'] })
  // @ts-expect-error there is no such direction
  await Book.find({ order: 'title DSC' })
  // @ts-expect-error there is no such path
  await Book.find({ order: 'author.nam' })
}

export async function includes({ Author, Book }: Models): Promise<void> {
  const author = await Author.findOne({ include: { books: 'reviews' } })
  const texts: string[] | undefined = author?.toJSON().books[0]?.reviews.map(({ text }) => text)
  const [found] = await Author.find({
    include: [{ relation: 'books', scope: { where: { status: 'live', 'author.name': 'Ann' }, fields: ['title'] } }]
  })
  const title: string | undefined = found?.toJSON().books[0]?.title
  const name: string | undefined = (await Book.findById(1, { include: 'author' }))?.toJSON().author?.name
  // @ts-expect-error there is no such relation
  await Author.findById(1, { include: { relation: 'bok' } })
  // @ts-expect-error there is no such key
  await Author.find({ include: [{ relation: 'books', scop: {} }] })
  // @ts-expect-error there is no such part of a filter
  await Author.find({ include: { relation: 'books', scope: { wher: {} } } })
  // @ts-expect-error there is no such property
  await Author.find({ include: [{ relation: 'books', scope: { where: { statsu: 'live' } } }] })
  await Author.findById(1, {
    // @ts-expect-error there is no such property, further down
    include: { relation: 'books', scope: { include: { relation: 'reviews', scope: { where: { txt: 'x' } } } } }
  })
  const [some] = await Book.find({ fields: { title: true } })
  // @ts-expect-error the field was left out
  const left = some?.status
  // @ts-expect-error there is no such field
  await Book.find({ fields: ['titel'] })
  void [texts, title, name, left]
}
