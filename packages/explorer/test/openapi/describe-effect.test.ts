import t from 'tap'
import { openApiDocument } from '#src/index.ts'
import { makeApp } from '../make-app.ts'

t.test('every operation has a summary and says what it does, not what another one does', async (t) => {
  const Wine = {
    name: 'Wine',
    public: true,
    properties: { name: 'string' },
    relations: { region: { type: 'belongsTo' as const, model: 'Region' } },
    methods: {
      'prototype.sendReminder': { http: { verb: 'post', path: '/remind' } },
      tidy: { description: 'Tidy up', notes: 'Sorts the shelves.', http: { verb: 'post', path: '/tidy' } }
    }
  }
  const app = await makeApp(t, [{ name: 'Region', public: true }, Wine])
  const { paths } = openApiDocument(app) as { paths: Record<string, Record<string, object>> } // a document has them
  for (const item of Object.values(paths))
    for (const operation of Object.values(item)) t.match(operation, { summary: /\S/, description: /\S/ })
  t.match(paths['/Wines/findOne']?.['get'], { description: /first record/ })
  t.match(paths['/Wines']?.['get'], { description: /^Returns the records that match/ })
  t.match(paths['/Wines/{id}/exists']?.['get'], { description: /whether the record exists/ })
  t.match(paths['/Wines/count']?.['get'], { description: /the number of records/ })
  t.match(paths['/Wines/{id}/remind']?.['post'], {
    summary: 'Send reminder',
    description: 'Calls Wine.prototype.sendReminder.'
  })
  t.match(paths['/Wines/tidy']?.['post'], { summary: 'Tidy up', description: 'Sorts the shelves.' })
})
