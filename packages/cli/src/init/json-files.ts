import { json, type NewProject, type ProjectFiles, ranges } from './new-project.ts'

const dependencies = ['@modelwire/boot', 'modelwire']

const note = {
  name: 'Note',
  base: 'PersistedModel',
  strict: 'validate',
  properties: {
    text: { type: 'string', required: true },
    done: { type: 'boolean', default: false, index: true },
    created: { type: 'date', defaultFn: 'now' }
  },
  relations: {},
  acls: [],
  methods: {
    'prototype.finish': {
      returns: { arg: 'done', type: 'boolean' },
      http: { verb: 'post', path: '/finish' }
    }
  }
}

const script = `'use strict'

module.exports = function (Note) {
  Note.validatesLengthOf('text', { max: 500 })

  // Declared in note.json: POST /api/Notes/:id/finish
  Note.prototype.finish = async function () {
    await this.updateAttributes({ done: true })
    return true
  }
}
`

const test = `import assert from 'node:assert/strict'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { createServer } from '@modelwire/boot'

const dir = fileURLToPath(new URL('..', import.meta.url))

test('a note is stored, found and finished', async () => {
  const app = await createServer({ dir })
  const created = await app.inject({ method: 'POST', url: '/api/Notes', payload: { text: 'Buy milk' } })
  assert.equal(created.statusCode, 200)
  const { id } = created.json()

  const finished = await app.inject({ method: 'POST', url: \`/api/Notes/\${id}/finish\` })
  assert.deepEqual(finished.json(), { done: true })

  const found = await app.inject('/api/Notes?filter[where][done]=true')
  assert.deepEqual(found.json().map(({ text }) => text), ['Buy milk'])
  await app.close()
})

test('a note without a text is refused', async () => {
  const app = await createServer({ dir })
  const answer = await app.inject({ method: 'POST', url: '/api/Notes', payload: { text: '' } })
  assert.equal(answer.statusCode, 422)
  await app.close()
})
`

const config = {
  restApiRoot: '/api',
  host: '127.0.0.1',
  port: 3000,
  strictAccess: true,
  remoting: { rest: { jsonp: false }, sharedMethods: { updateAll: false } }
}

const middleware = {
  initial: { cors: { params: { origin: false, maxAge: 86400 } }, helmet: {} },
  routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } },
  final: { 'loopback#urlNotFound': {} },
  'final:after': { 'strong-error-handler': {} }
}

const modelConfig = {
  _meta: { sources: ['../common/models'], mixins: ['../common/mixins'] },
  Note: { dataSource: 'db', public: true }
}

const readme = (name: string): string => `# ${name}

A REST API made with Modelwire: models in the JSON files of LoopBack 3, served by Fastify.

\`\`\`sh
npm install
npm start      # http://localhost:3000/explorer shows the API; PORT and HOST say where it listens
npm test
npx modelwire routes .
\`\`\`

| file                             | holds                                                        |
| -------------------------------- | ------------------------------------------------------------ |
| \`common/models/note.json\`        | a model: properties, relations, access rules, methods        |
| \`common/models/note.js\`          | its rules, hooks and functions                               |
| \`server/model-config.json\`       | which models there are, and which of them are public         |
| \`server/config.json\`            | address, limits; access control without LoopBack's exceptions |
| \`server/datasources.json\`        | where records are stored: in memory, until you name a database |
| \`server/middleware.json\`         | CORS (no other origin until you name one), headers, the path of the API |
| \`server/component-config.json\`   | the page at /explorer, which production does not have        |
| \`test/notes.test.mjs\`            | asks the server without a port                               |
`

/** A project that has the folders and files of LoopBack 3. */
export function jsonFiles(project: NewProject): ProjectFiles {
  return {
    'package.json': json({
      name: project.name,
      version: '0.1.0',
      private: true,
      engines: { node: '>=20.19' },
      scripts: {
        start: 'modelwire serve .',
        check: 'modelwire check .',
        test: 'node --test test/notes.test.mjs'
      },
      dependencies: ranges(dependencies, project)
    }),
    'common/models/note.json': json(note),
    'common/models/note.js': script,
    'server/config.json': json(config),
    'server/datasources.json': json({ db: { connector: 'memory' } }),
    'server/model-config.json': json(modelConfig),
    'server/middleware.json': json(middleware),
    'server/component-config.json': json({ 'loopback-component-explorer': { mountPath: '/explorer' } }),
    'server/component-config.production.json': json({ 'loopback-component-explorer': null }),
    'test/notes.test.mjs': test,
    '.gitignore': 'node_modules/\n',
    'README.md': readme(project.name)
  }
}
