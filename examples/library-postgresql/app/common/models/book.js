'use strict'

module.exports = function (Book) {
  Book.validatesFormatOf('isbn', { with: /^[0-9]{13}$/ })

  Book.prototype.lend = function (memberId) {
    const bookId = this.id
    return Book.dataSource.transaction(async (models) => {
      await takeBook(models, bookId)
      const open = await models.Loan.count({ bookId, returned: null })
      if (open > 0) throw refusal('BOOK_LENT', `book ${bookId} is lent already`)
      return models.Loan.create({ bookId, memberId })
    })
  }

  Book.prototype.return = function () {
    const bookId = this.id
    return Book.dataSource.transaction(async (models) => {
      await takeBook(models, bookId)
      const { count } = await models.Loan.updateAll({ bookId, returned: null }, { returned: new Date() })
      if (count === 0) throw refusal('BOOK_NOT_LENT', `book ${bookId} is not lent`)
    })
  }

  Book.remoteMethod('prototype.lend', {
    accepts: { arg: 'memberId', type: 'number', required: true },
    returns: { arg: 'loan', type: 'Loan', root: true },
    http: { verb: 'post', path: '/lend' }
  })
  Book.remoteMethod('prototype.return', { http: { verb: 'post', path: '/return' } })
}

// The first to change a row keeps it until the end of the transaction: all others who want to lend or return this book
// wait here, on both servers, and then see what that one did.
function takeBook(models, id) {
  return models.Book.updateAll({ id }, { lastMoved: new Date() })
}

function refusal(code, message) {
  return Object.assign(new Error(message), { code, statusCode: 409 })
}
