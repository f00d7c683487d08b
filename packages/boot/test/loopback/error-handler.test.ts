import t from 'tap'
import { bootApp } from '../make-app.ts'
import { answersAsLoopback, filesOf } from './answers.ts'

const config = (
  rest: string
) => `module.exports = { remoting: { ${rest} errorHandler: { handler: (error, req, res, next) => {
  if (req.query.own) return res.status(499).json({ url: req.originalUrl, status: error.statusCode })
  if (req.query.thrown) throw Object.assign(new Error('thrown'), { statusCode: 418 })
  if (req.query.other) return next(Object.assign(new Error('other'), { statusCode: 419, code: 'OTHER' }))
  error.statusCode = 420
  next()
} } } }`

t.test('remoting.errorHandler.handler answers the errors of the REST API', async (t) => {
  await answersAsLoopback(
    t,
    { Thing: {} },
    [
      ['GET /Things/99?own=1', 499, { url: '/api/Things/99?own=1', status: 404 }],
      ['GET /nope?own=1', 499, { url: '/api/nope?own=1', status: 404 }],
      ['POST /Things?own=1 {"n"', 499, { url: '/api/Things?own=1', status: 400 }],
      ['GET /Things/99?thrown=1', 418],
      ['GET /Things/99?other=1', 419],
      ['GET /Things/99', 420],
      ['GET /Things', 200, []]
    ],
    { 'server/config.local.js': config('') }
  )
})

t.test('where errors are left to the middleware it is not asked', async (t) => {
  await answersAsLoopback(t, { Thing: {} }, [['GET /Things/99?own=1', 404]], {
    'server/config.local.js': config('rest: { handleErrors: false },')
  })
})

t.test(
  'errors that remoting handles itself are told as remoting.errorHandler says, whatever the middleware does',
  async (t) => {
    const debugging = { 'final:after': { 'strong-error-handler': { params: { debug: true } } } }
    const told = async (remoting: object) => {
      const files = { 'server/middleware.development.json': debugging, 'server/config.local.json': { remoting } }
      const server = await bootApp(t, { ...filesOf({ Thing: {} }), ...files })
      return 'stack' in (await server.inject('/api/Things/99')).json().error
    }
    t.equal(await told({ rest: { handleErrors: false } }), true)
    t.equal(await told({ rest: { handleErrors: true } }), false)
    t.equal(await told({}), false)
    t.equal(await told({ errorHandler: { debug: true } }), true)
  }
)

// Status, origin and credentials as LoopBack 3.28 with the package cors answers, for every way of writing to a response.
const writing = {
  end: 'res.statusCode = 499; res.end("x")',
  writeHead: 'res.writeHead(499, { "x-own": "1" }); res.end("x")',
  json: 'res.status(499).json({})',
  pipe: 'res.statusCode = 499; require("stream").Readable.from(["x"]).pipe(res)'
}

for (const [name, code] of Object.entries(writing))
  t.test(`an answer of errorHandler.handler by ${name} has the headers of middleware`, async (t) => {
    const handler = `handler: (error, req, res, next) => { ${code} }`
    const server = await bootApp(t, {
      ...filesOf({ Thing: {} }),
      'server/config.local.js': `module.exports = { remoting: { errorHandler: { ${handler} } } }`,
      'server/middleware.local.json': { initial: { cors: { params: { origin: true, credentials: true } } } }
    })
    const { statusCode, headers } = await server.inject({
      url: '/api/Things/99',
      headers: { origin: 'http://a.example' }
    })
    t.equal(statusCode, 499)
    t.equal(headers['access-control-allow-origin'], 'http://a.example')
    t.equal(headers['access-control-allow-credentials'], 'true')
  })
