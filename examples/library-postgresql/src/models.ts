import { defineModel, type ModelsOf } from '@modelwire/core'
import { Type } from '@sinclair/typebox'

/** Loans are made by lending and ended by returning, not by hand: their relations are there to read. */
const lendingAlone = {
  'prototype.__create__loans': false,
  'prototype.__updateById__loans': false,
  'prototype.__destroyById__loans': false,
  'prototype.__delete__loans': false
}

const Author = defineModel(
  'Author',
  Type.Object({
    name: Type.String({ minLength: 1, index: true }),
    born: Type.Optional(Type.Integer({ description: 'year' }))
  }),
  { public: true, relations: { books: { type: 'hasMany', model: 'Book' } } }
)

const Book = defineModel(
  'Book',
  Type.Object({
    isbn: Type.String({ pattern: '^[0-9]{13}$', unique: true }),
    title: Type.String({ minLength: 1 }),
    year: Type.Optional(Type.Integer()),
    authorId: Type.Integer({ index: true }),
    lastMoved: Type.Optional(Type.Date({ description: 'when it was last lent or brought back' }))
  }),
  {
    public: true,
    relations: {
      author: { type: 'belongsTo', model: 'Author' },
      loans: { type: 'hasMany', model: 'Loan' }
    },
    remoting: { sharedMethods: lendingAlone }
  }
)

const Member = defineModel(
  'Member',
  Type.Object({ name: Type.String({ minLength: 1 }), email: Type.String({ format: 'email', unique: true }) }),
  {
    public: true,
    relations: { loans: { type: 'hasMany', model: 'Loan' } },
    remoting: { sharedMethods: lendingAlone }
  }
)

const Loan = defineModel(
  'Loan',
  Type.Object({
    bookId: Type.Integer({ index: true }),
    memberId: Type.Integer({ index: true }),
    lent: Type.Optional(Type.Date({ defaultFn: 'now' })),
    returned: Type.Optional(Type.Date({ description: 'absent while the book is out' }))
  }),
  {
    public: true,
    relations: {
      book: { type: 'belongsTo', model: 'Book' },
      member: { type: 'belongsTo', model: 'Member' }
    },
    // As above.
    remoting: { sharedMethods: { '*': false, find: true, findById: true, count: true } }
  }
)

/** Everything the library stores. The model files in `app/common/models` are equivalent. */
export const models = { Author, Book, Member, Loan }

declare module '@modelwire/core' {
  /** Makes `app.models.Book` and the others known to TypeScript. */
  interface Models extends ModelsOf<typeof models> {}
}
