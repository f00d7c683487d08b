import { defineInstanceOperation, type ModelRegistry, type Models } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import { BookLent, BookNotLent } from './errors.ts'

/** Adds `POST /Books/:id/lend` and `POST /Books/:id/return`. `app/common/models/book.js` does the same. */
export function addLending(models: ModelRegistry & Models): void {
  const { Book, Loan } = models
  defineInstanceOperation(Book, {
    name: 'lend',
    accepts: { memberId: Type.Integer() },
    returns: Type.Unknown({ description: 'the loan' }),
    handler: async ({ id }, { memberId }) =>
      models.transaction(async () => {
        await takeBook(models, id)
        if ((await Loan.count({ bookId: id, returned: null })) > 0) throw new BookLent(`book ${id} is lent already`)
        return Loan.create({ bookId: id, memberId })
      })
  })
  defineInstanceOperation(Book, {
    name: 'return',
    handler: async ({ id }) =>
      models.transaction(async () => {
        await takeBook(models, id)
        const { count } = await Loan.updateAll({ bookId: id, returned: null }, { returned: new Date() })
        if (count === 0) throw new BookNotLent(`book ${id} is not lent`)
      })
  })
}

/**
 * The first to change a row keeps it until the end of the transaction: all others who want to lend or return this book
 * wait here, on both servers, and then see what that one did.
 */
async function takeBook({ Book }: Models, id: number): Promise<void> {
  await Book.updateAll({ id }, { lastMoved: new Date() })
}
