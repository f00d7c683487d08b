import t from 'tap'
import { bootApp } from '../../make-app.ts'

const files = {
  'server/middleware.json': {
    'initial:before': { 'loopback#favicon': {} },
    routes: { 'loopback#rest': { paths: ['${restApiRoot}'] }, 'loopback#status': { paths: '/status' } },
    files: {
      'loopback#static': [
        { params: ['$!../client', { maxAge: '1h' }] },
        { name: 'more', paths: ['/more'], params: '$!../more' }
      ]
    },
    final: { 'loopback#urlNotFound': {} },
    'final:after': { 'strong-error-handler': { params: { log: false } } }
  },
  'client/index.html': '<h1>Hello</h1>',
  'client/a.txt': 'A',
  'client/.secret': 'S',
  'more/b.txt': 'B'
}

const answers: [string, number, string | RegExp][] = [
  ['/', 200, '<h1>Hello</h1>'],
  ['/a.txt', 200, 'A'],
  ['/more/b.txt', 200, 'B'],
  ['/.secret', 404, /"statusCode":404/],
  ['/..%2fserver/config.json', 404, /"statusCode":404/],
  ['/b.txt', 404, /"statusCode":404/],
  ['/api/Things', 200, '[]'],
  ['/api/nope', 404, /"statusCode":404/],
  ['/status', 200, /"uptime":/],
  ['/favicon.ico', 204, '']
]

void t.test('serves files beside the API', async (t) => {
  const server = await bootApp(t, files)
  for (const [url, status, body] of answers) {
    const answer = await server.inject(url)
    t.equal(answer.statusCode, status, url)
    if (typeof body === 'string') t.equal(answer.body, body, url)
    else t.match(answer.body, body, url)
  }
})

void t.test('only reads files', async (t) => {
  const server = await bootApp(t, files)
  t.equal((await server.inject({ method: 'POST', url: '/a.txt' })).statusCode, 404)
  t.equal((await server.inject({ method: 'HEAD', url: '/a.txt' })).statusCode, 200)
})

void t.test('an icon of the application is served', async (t) => {
  const middleware = { 'initial:before': { 'serve-favicon': { params: '$!../icon.ico' } } }
  const server = await bootApp(t, { 'server/middleware.json': middleware, 'icon.ico': 'ICON' })
  const answer = await server.inject('/favicon.ico')
  t.equal(answer.body, 'ICON')
  t.equal(answer.headers['content-type'], 'image/x-icon')
})

void t.test('answers are compressed where the application asks for it', async (t) => {
  const middleware = {
    initial: { compression: { params: { threshold: 1 } } },
    routes: { 'loopback#rest': { paths: ['/api'] } }
  }
  const server = await bootApp(t, { 'server/middleware.json': middleware })
  const answer = await server.inject({ url: '/api/Things', headers: { 'accept-encoding': 'gzip' } })
  t.equal(answer.headers['content-encoding'], 'gzip')
})

void t.test('takes the options of serve-static', async (t) => {
  const server = await bootApp(t, files)
  t.equal((await server.inject('/a.txt')).headers['cache-control'], 'public, max-age=3600')
  t.equal((await server.inject('/more/b.txt')).headers['cache-control'], 'public, max-age=0')
})

void t.test('several folders are served at one path, the first that has the file', async (t) => {
  const middleware = {
    files: { 'loopback#static': [{ params: '$!../one' }, { name: 'two', params: ['$!../two', { maxAge: 1 }] }] }
  }
  const folders = { 'one/a.txt': '1', 'two/a.txt': '2', 'two/b.txt': 'B' }
  const server = await bootApp(t, { 'server/middleware.json': middleware, ...folders })
  t.equal((await server.inject('/a.txt')).body, '1')
  t.equal((await server.inject('/b.txt')).body, 'B')
  t.equal((await server.inject('/c.txt')).statusCode, 404)
  t.match(server.bootReport.notes, [{ level: 'differs', reason: /first folder/ }, { key: 'routes' }])
})

// As LoopBack 3.28 answers: in the order of mounting.
const orders: [name: string, script: string, answers: [string, number, string | RegExp][]][] = [
  [
    'files first',
    'app.use("/st", files); app.use("/st", app.loopback.status())',
    [
      ['/st', 301, /\/st\//],
      ['/st/', 200, '<h1>Hello</h1>'],
      ['/st/a.txt', 200, 'A'],
      ['/st/none', 200, /"uptime":/]
    ]
  ],
  [
    'a status first',
    'app.use("/st", app.loopback.status()); app.use("/st", files)',
    [
      ['/st', 200, /"uptime":/],
      ['/st/a.txt', 200, /"uptime":/]
    ]
  ],
  [
    'a status of one path first',
    'app.get("/st", app.loopback.status()); app.use("/st", files)',
    [
      ['/st', 200, /"uptime":/],
      ['/st/a.txt', 200, 'A'],
      ['/st/none', 404, /"statusCode":404/]
    ]
  ],
  [
    'files before the REST API',
    'app.use("/api/Things", files)',
    [
      ['/api/Things/a.txt', 200, 'A'],
      ['/api/Things/count', 200, /"count":0/]
    ]
  ]
]

void t.test('files and statuses that scripts mount answer in the order of mounting', async (t) => {
  for (const [name, body, expected] of orders) {
    const script = `module.exports = app => { const files = app.loopback.static(__dirname + '/../../client'); ${body} }`
    const server = await bootApp(t, {
      'server/boot/a.js': script,
      'client/index.html': '<h1>Hello</h1>',
      'client/a.txt': 'A'
    })
    for (const [url, status, text] of expected) {
      const answer = await server.inject(url)
      t.equal(answer.statusCode, status, `${name}: ${url}`)
      t.ok(typeof text === 'string' ? answer.body === text : text.test(answer.body), `${name}: ${url}: ${answer.body}`)
    }
  }
})

void t.test('one path may have a status twice, and files beside it', async (t) => {
  const middleware = {
    routes: { 'loopback#rest': { paths: ['/api'] }, 'loopback#status': { paths: '/st' } },
    files: { 'loopback#static': { paths: '/st', params: '$!../client' } }
  }
  const server = await bootApp(t, {
    'server/middleware.json': middleware,
    'server/boot/a.js': 'module.exports = app => app.get("/st", app.loopback.status())',
    'client/a.txt': 'A'
  })
  t.match((await server.inject('/st')).json(), { uptime: Number })
  t.equal((await server.inject('/st/a.txt')).body, 'A')
})
