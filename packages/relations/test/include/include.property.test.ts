import * as fc from 'fast-check'
import t from 'tap'
import { library } from '../library.ts'
import { makeApp } from '../make-app.ts'

const books = fc.array(fc.record({ authorId: fc.integer({ min: 1, max: 5 }), year: fc.integer({ min: 0, max: 3 }) }), {
  maxLength: 30
})
const scope = fc.record(
  {
    where: fc.record({ year: fc.record({ gt: fc.integer({ min: 0, max: 2 }) }) }),
    order: fc.constantFrom('year', 'year DESC', ['year DESC', 'id DESC'], 'id DESC'),
    limit: fc.integer({ min: 1, max: 4 }),
    skip: fc.integer({ min: 0, max: 2 })
  },
  { requiredKeys: [] }
)

void t.test('an included list is what the route of the relation lists', async (t) => {
  for (const resolvesIncludes of [false, true]) {
    const test = await makeApp(t, library, { resolvesIncludes, options: { keysPerQuery: 2 } })
    await test.model('Author').create(Array.from({ length: 5 }, (_, at) => ({ name: `a${at}` })))
    const check = fc.asyncProperty(books, scope, async (rows, asked) => {
      await test.model('Book').destroyAll()
      await test.model('Book').create(rows)
      const { body } = await test.get('/Authors', { include: { relation: 'books', scope: asked } })
      for (const author of body as { id: number; books: unknown[] }[]) {
        const list = await test.get(`/Authors/${author.id}/books`, asked)
        if (JSON.stringify(list.body) !== JSON.stringify(author.books.map((book) => ({ ...(book as object) }))))
          return false
      }
      return true
    })
    await fc.assert(check, { numRuns: 40 })
  }
  t.pass('for 80 libraries')
})
