import { memory, transient } from '@modelwire/connector-memory'
import t from 'tap'
import type { ModelDefinition } from '#src/index.ts'
import { embeddedModel, hideWithin } from '#src/model/embedded-model.ts'
import { buildRegistry } from '#src/build-registry.ts'

void t.test('parts of records show neither what is hidden nor what is protected, however deep they lie', async (t) => {
  const models: ModelDefinition[] = [
    { name: 'Box', properties: { parts: ['Part'], label: 'string' } },
    { name: 'Part', dataSource: 'none', hidden: ['code'], properties: { code: 'string', maker: 'Maker' } },
    { name: 'Maker', dataSource: 'none', protected: ['phone'], properties: { name: 'string', phone: 'string' } }
  ]
  const registry = buildRegistry({ dataSources: { db: memory(), none: transient() }, models }, () => {})
  const box = registry.typeOf('Box')
  t.equal(embeddedModel(box, 'parts'), registry.typeOf('Part'))
  t.equal(embeddedModel(box, 'label'), undefined)
  const stored = [{ code: 'c', other: 1, maker: { name: 'M', phone: '5' } }, null, 'text']
  t.strictSame(hideWithin(box, 'parts', stored), [{ other: 1, maker: { name: 'M' } }, null, 'text'])
  t.equal(hideWithin(box, 'label', stored), stored)
})
