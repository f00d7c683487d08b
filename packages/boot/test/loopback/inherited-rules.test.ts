import t from 'tap'
import { bootApp, type Files } from '../make-app.ts'

const files: Files = {
  'common/models/thing.json': {
    name: 'Thing',
    base: 'PersistedModel',
    properties: { label: { type: 'string', required: true } }
  },
  'common/models/thing.js': `module.exports = (Thing) => { Thing.validatesLengthOf('label', { max: 3 }) }`,
  'common/models/part.json': { name: 'Part', base: 'Thing' },
  'common/models/free.json': { name: 'Free', base: 'Thing', properties: { label: 'string' } },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    Thing: { dataSource: 'db' },
    Part: { dataSource: 'db' },
    Free: { dataSource: 'db' }
  }
}

/** Codes of the problems of a new record, or the status of its answer. */
async function outcome(t: Parameters<typeof bootApp>[0], path: string, payload: object): Promise<unknown> {
  const server = await bootApp(t, files)
  const response = await server.inject({ method: 'POST', url: `/api/${path}`, payload })
  return response.statusCode === 200
    ? 200
    : response.json<{ error: { details: { codes: unknown } } }>().error.details.codes
}

void t.test('rules of the script of a base are its own; those of its properties are inherited', async (t) => {
  t.strictSame(await outcome(t, 'Things', { label: 'long' }), { label: ['length.max'] })
  t.equal(await outcome(t, 'Parts', { label: 'long' }), 200)
  t.strictSame(await outcome(t, 'Parts', {}), { label: ['presence'] })
})

void t.test('a property that is declared again has its own settings alone', async (t) => {
  t.equal(await outcome(t, 'Frees', {}), 200)
})
