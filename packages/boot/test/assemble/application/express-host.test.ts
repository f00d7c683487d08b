import t from 'tap'
import { bootApp } from '../../make-app.ts'

const engine =
  'exports.__express = (path, options, done) => done(null, require("fs").readFileSync(path) + options.name + options.site)'

void t.test('pages are rendered by the view engine of the application', async (t) => {
  const server = await bootApp(t, {
    'server/boot/a.js': `module.exports = app => {
      app.set('view engine', 'tiny'); app.set('views', require('path').join(__dirname, '../views')); app.locals.site = '!'
      app.get('/', (req, res) => res.render('home', { name: 'Ann' }))
      app.get('/none', (req, res) => res.render('none'))
    }`,
    'server/views/home.tiny': 'Hello ',
    'server/node_modules/tiny/index.js': engine
  })
  const { body, headers } = await server.inject('/')
  t.equal(body, 'Hello Ann!')
  t.match(headers['content-type'], /^text\/html/)
  t.equal((await server.inject('/none')).statusCode, 500)
})

const without: [string, string][] = [
  ['no view engine', ''],
  ['one that is not installed', 'app.set("view engine", "no-such-engine")']
]

for (const [name, line] of without) {
  void t.test(`rendering with ${name} is an error`, async (t) => {
    const server = await bootApp(t, {
      'server/boot/a.js': `module.exports = app => { ${line}
        app.get('/', (req, res) => res.render('home', (error) => res.json({ code: error.code })))
        app.get('/next', (req, res) => res.render('home'))
      }`
    })
    t.strictSame((await server.inject('/')).json(), { code: 'VIEW_ENGINE_MISSING' })
    t.equal((await server.inject('/next')).statusCode, 500)
  })
}

void t.test('an engine may be given in a script, settings of Express are honoured', async (t) => {
  const server = await bootApp(t, {
    'server/boot/a.js': `module.exports = app => {
      app.engine('.own', (path, options, done) => done(null, 'own page')); app.set('views', __dirname)
      app.set('json spaces', 1); app.set('trust proxy', true)
      app.get('/', (req, res) => res.render('page.own'))
      app.get('/protocol', (req, res) => res.send(req.protocol))
    }`,
    'server/boot/page.own': ''
  })
  t.equal((await server.inject('/')).body, 'own page')
  t.equal((await server.inject({ url: '/protocol', headers: { 'x-forwarded-proto': 'https' } })).body, 'https')
})

void t.test('settings that change later count for the response', async (t) => {
  const server = await bootApp(t, {
    'server/boot/a.js': `module.exports = app => {
      app.get('/', (req, res) => res.json({ a: 1 }))
    }`
  })
  t.equal((await server.inject('/')).body, '{"a":1}')
  server.loopback.set('json spaces', 1)
  t.equal((await server.inject('/')).body, '{\n "a": 1\n}')
  server.loopback.settings['json spaces'] = 0
  t.equal((await server.inject('/')).body, '{"a":1}')
})
