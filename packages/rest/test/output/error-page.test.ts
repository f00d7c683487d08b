import t from 'tap'
import { errorPage } from '#src/output/send-error.ts'

t.test('a page escapes everything', async (t) => {
  const nasty = `<script>alert("1" & '2')</script>`
  const page = errorPage(404, { name: nasty, message: nasty, code: nasty, details: { a: nasty }, stack: nasty })
  t.notMatch(page, /<script/)
  t.equal(page.split('&lt;script&gt;').length - 1, 5)
})

t.test('a page shows what it is given', async (t) => {
  const page = errorPage(404, { statusCode: 404, name: 'Error', message: 'Unknown id' })
  t.match(page, /<title>404 Not Found<\/title>/)
  t.match(page, /<p>Unknown id<\/p>/)
  t.notMatch(page, /<pre>/)
  t.match(errorPage(500, { message: 'm', name: 'TypeError', stack: 'at x' }), /<p>TypeError: m<\/p>\n<pre>at x<\/pre>/)
})

t.test('a page loads nothing', async (t) => {
  t.notMatch(errorPage(500, {}), /https?:|src=|href=|@import|url\(/)
})

t.test('details that cannot be written as JSON do no harm', async (t) => {
  t.match(errorPage(400, { message: Object.create(null) as unknown, details: { big: 5n } }), /<p>{}<\/p>\n<pre>/)
})
