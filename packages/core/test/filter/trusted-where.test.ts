import t from 'tap'
import { compileOptionalWhere } from '#src/filter/compile-filter.ts'
import { readingWithin, serverCall } from '#src/access/call.ts'
import { defaultQueryLimits } from '#src/limits/limits.ts'
import { openTrusted, splitTrusted, TrustedWhere } from '#src/filter/trusted-where.ts'
import { clonePlain } from '@modelwire/server'
import { buildModels } from '../build-models.ts'
import { clientCall } from '../client-call.ts'

const definition = {
  name: 'Thing',
  properties: { label: 'string', ownerId: 'number', note: 'string' },
  hidden: ['ownerId'],
  protected: ['note']
}
const client = readingWithin(clientCall())
const added = new TrustedWhere({ ownerId: 1, note: 'a' })
const where = { and: [{ label: 'x' }, added] }

for (const compat of [false, true]) {
  const thing = buildModels([definition], { compat }).typeOf('Thing')
  const mode = compat ? ' in compat mode' : ''

  void t.test(`what the server adds may name what a client must not${mode}`, (t) => {
    const { conditions } = compileOptionalWhere(thing, where, client) as { conditions: readonly object[] }
    // The client's texts are compared as the column is, those of the server by their characters.
    const [own, others] = [{ label: 'x' }, { ownerId: 1, note: 'a' }].map((each) => compileOptionalWhere(thing, each))
    t.strictSame(conditions, [{ ...own, byCollation: true }, others])
    t.strictSame(compileOptionalWhere(thing, clonePlain(where), client), compileOptionalWhere(thing, where, client))
    t.end()
  })

  void t.test(`what a client says beside it is the client’s${mode}`, (t) => {
    const asked = () => compileOptionalWhere(thing, { and: [{ ownerId: 2 }, added] }, client)
    if (compat) t.match(asked(), { conditions: [{ kind: 'and', conditions: [] }, { kind: 'and' }] })
    else t.throws(asked, { code: 'HIDDEN_PROPERTY_IN_FILTER' })
    t.end()
  })

  void t.test(`a copy that is no instance any more never counts for nothing${mode}`, (t) => {
    const copies: unknown[] = [
      Object.assign({}, added),
      structuredClone(added),
      JSON.parse(JSON.stringify(added)),
      { $trusted: 1 }
    ]
    for (const copy of copies)
      for (const asker of [client, serverCall()])
        t.throws(() => compileOptionalWhere(thing, { and: [copy] }, asker), { code: 'INVALID_FILTER' })
    t.end()
  })
}

void t.test('the limits of a client are not used up by what the server adds', (t) => {
  const thing = buildModels([definition]).typeOf('Thing')
  const limits = { ...defaultQueryLimits, conditions: 1, depth: 2 }
  const asker = readingWithin(clientCall(limits))
  const deep = new TrustedWhere({ or: [{ and: [{ ownerId: 1 }, { note: 'a' }] }] })
  t.ok(compileOptionalWhere(thing, { and: [{ label: 'x' }, deep] }, asker))
  t.throws(() => compileOptionalWhere(thing, { and: [{ label: 'x', id: 1 }, deep] }, asker), {
    code: 'LIMIT_EXCEEDED'
  })
  t.end()
})

void t.test('it opens into a plain condition, wherever it stands', (t) => {
  t.strictSame(openTrusted({ and: [{ or: [added, { label: { nin: ['x'] } }] }] }), {
    and: [{ or: [{ ownerId: 1, note: 'a' }, { label: { nin: ['x'] } }] }]
  })
  t.end()
})

void t.test('it parts from what a client asks', (t) => {
  const nested = { and: [where, new TrustedWhere({ ownerId: 3 })], label: 'y' }
  t.strictSame(splitTrusted(nested), {
    requested: { and: [{ and: [{ label: 'x' }, {}] }, {}], label: 'y' },
    trusted: [{ ownerId: 1, note: 'a' }, { ownerId: 3 }]
  })
  t.strictSame(splitTrusted({ label: 'x' }), { requested: { label: 'x' }, trusted: [] })
  t.end()
})
