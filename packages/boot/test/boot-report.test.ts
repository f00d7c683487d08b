import t from 'tap'
import { type BootReport, collectNotes, formatReport } from '#src/boot-report.ts'

void t.test('tells the same line once', async (t) => {
  const { notes, add } = collectNotes()
  add('ignored', { file: 'a.json', key: 'b' }, 'no')
  add('ignored', { file: 'a.json', key: 'b' }, 'no')
  add('ignored', { file: 'a.json', key: 'c' }, 'no')
  t.strictSame(notes, [
    { file: 'a.json', key: 'b', level: 'ignored', reason: 'no' },
    { file: 'a.json', key: 'c', level: 'ignored', reason: 'no' }
  ])
})

void t.test('says what is served, then what is not honoured and why', async (t) => {
  const report: BootReport = {
    dir: '/app',
    env: 'production',
    version: 3,
    notes: [
      { file: 'server/config.json', key: 'x', level: 'info', reason: 'as it is' },
      { file: 'server/server.js', level: 'ignored', reason: 'it is not run' },
      { file: 'server/middleware.json', key: 'initial.y', level: 'differs', reason: 'a little' }
    ],
    served: {
      paths: ['/api'],
      models: [
        { name: 'Book', path: 'books', dataSource: 'db' },
        { name: 'Tool', path: 'tools', dataSource: undefined }
      ],
      dataSources: [{ name: 'db', connector: 'memory' }],
      middleware: ['cors']
    }
  }
  t.strictSame(formatReport(report).split('\n'), [
    '/app behaves like LoopBack 3 (production)',
    'REST API at /api: 2 models',
    '  Book at /books (db)',
    '  Tool at /tools (no data source)',
    'Data sources',
    '  db (memory)',
    'Middleware',
    '  cors',
    'Not honoured',
    '  server/server.js: it is not run',
    'Works differently',
    '  server/middleware.json: initial.y: a little',
    'Good to know',
    '  server/config.json: x: as it is'
  ])
})
