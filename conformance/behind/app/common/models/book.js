'use strict'

module.exports = (Book) => {
  Book.search = (text, done) => Book.find({ where: { title: { like: `%${text}%` } }, order: 'id', limit: 10 }, done)
  Book.remoteMethod('search', {
    accepts: { arg: 'text', type: 'string', required: true },
    returns: { arg: 'books', type: ['Book'], root: true },
    http: { verb: 'get', path: '/search' }
  })
}
