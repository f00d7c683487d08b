import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { listOptionSchemas } from '../docs/list-option-schemas.mjs'
import { root } from '../docs/markdown-files.mjs'
import { listOptions, optionsDocument } from '../docs/options-document.mjs'

t.test('docs/options.md is what the schemas of the packages say; pnpm docs:options makes it anew', async (t) => {
  const schemas = await listOptionSchemas()
  t.ok(schemas.length > 10)
  t.equal(readFileSync(join(root, 'docs/options.md'), 'utf8'), optionsDocument(schemas))
})

t.test('every option says what it means, and a span of time in which unit', async (t) => {
  for (const { name, schema } of await listOptionSchemas()) {
    const options = listOptions(schema)
    t.ok(options.length > 0, name)
    t.same(
      options.filter(({ meaning }) => meaning === ''),
      [],
      `${name}: without a meaning`
    )
    const spans = options.filter(({ type, meaning }) => /number|integer/.test(type) && /\bseconds|milli/.test(meaning))
    t.same(
      spans.filter(({ unit }) => unit === ''),
      [],
      `${name}: without a unit`
    )
  }
})

t.test('options of objects inside are listed by their path, with type, default, unit and meaning', async (t) => {
  const wait = { type: 'number', exclusiveMinimum: 0, default: 5, unit: 's', description: 'a | b' }
  const limits = { anyOf: [{ const: false }, { type: 'object', properties: { wait }, required: ['wait'] }] }
  const schema = {
    type: 'object',
    properties: { limits: { ...limits, description: 'how much' }, group: { type: 'object', properties: { wait } } }
  }
  t.same(listOptions(schema), [
    { name: '`limits`', type: '`false` or object', fallback: '–', unit: '', meaning: 'how much' },
    { name: '`limits.wait`', type: 'number above 0', fallback: '`5`', unit: 's', meaning: 'a \\| b' },
    { name: '`group.wait`', type: 'number above 0', fallback: '`5`', unit: 's', meaning: 'a \\| b' }
  ])
})
