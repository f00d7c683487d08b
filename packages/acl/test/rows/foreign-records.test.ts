import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

interface Variant {
  readonly name: string
  /** A rule that asks about the record, which is loaded for it. */
  readonly owners?: boolean
  readonly observed?: boolean
  readonly hooked?: boolean
  readonly forceId?: boolean
  readonly compat?: boolean
}

const variants: readonly Variant[] = [
  { name: 'a rule with rows' },
  { name: 'a rule for owners as well', owners: true },
  { name: 'observers', observed: true },
  { name: 'remote hooks', hooked: true },
  { name: 'ids of clients', forceId: false },
  { name: 'compat mode', compat: true }
]

/** Note 1 is of user 2, who alone may change it; whoever saves is told to `saved`. */
async function makeNotes(
  t: Test,
  { owners, observed, hooked, forceId = true, compat = false }: Variant,
  saved: unknown[]
) {
  const properties = {
    text: 'string',
    need: { type: 'string', required: true },
    price: { type: 'number', readOnly: true },
    slug: { type: 'string', writeOnce: true },
    kept: 'string',
    userId: 'number'
  } as const
  const fields = { write: { except: ['kept'] } }
  const acls = [
    deny,
    rule('$authenticated', 'ALLOW', { accessType: 'EXECUTE', rows: '$owner', fields }),
    ...(owners === true ? [rule('$owner', 'ALLOW', { property: 'patchAttributes', rows: '$owner', fields })] : [])
  ]
  const prepare = ({ models }: FastifyInstance): void => {
    if (hooked === true) models.remoteHooks.add('before', 'Note.**', async () => {})
  }
  const app = await makeApp(t, [{ name: 'Note', plural: 'notes', forceId, properties, acls }], {}, { compat, prepare })
  const Note = app.models.get('Note')
  await Note.create({ text: 'a', need: 'n', price: 42, slug: 's', kept: 'k', userId: 2 })
  if (observed === true) Note.observe('before save', async ({ currentInstance }) => void saved.push(currentInstance))
  return app
}

async function answerTo(app: FastifyInstance, line: string, payload: object, user = '1'): Promise<string> {
  const [method = '', url = ''] = line.split(' ')
  const request = { method: method as 'PUT', url: `/api${url}`, headers: { user }, payload } // tests name verbs
  const { statusCode, payload: text } = await app.inject(request)
  return `${statusCode} ${text}`
}

const lines = ['PATCH /notes/:id', 'PUT /notes/:id', 'POST /notes/:id/replace', 'PATCH /notes', 'PUT /notes']
const whole = { text: 'b', need: 'n', userId: 2 }
const guesses: readonly object[] = [
  { price: 41 },
  { price: 42 },
  { slug: 't' },
  { slug: 's' },
  { kept: 'x' },
  { kept: 'k' },
  { need: '' },
  { price: 'no number' },
  { text: 'c' }
]

const attempts = lines.flatMap((line) =>
  guesses.flatMap((guess) =>
    [1, 9].map((id) => ({
      line: line.replace(':id', String(id)),
      data: { ...whole, ...guess, ...(line.includes(':id') ? {} : { id }) }
    }))
  )
)

for (const variant of variants) {
  void t.test(`data that is refused tells nothing of records of others, with ${variant.name}`, async (t) => {
    const saved: unknown[] = []
    const app = await makeNotes(t, variant, saved)
    const before = JSON.stringify(await app.models.get('Note').find())
    for (const { line, data } of attempts)
      t.match(await answerTo(app, line, data), /^401.*AUTHORIZATION_REQUIRED/, `${line} ${JSON.stringify(data)}`)
    t.equal(JSON.stringify(await app.models.get('Note').find()), before)
    t.strictSame(saved, [], 'nor do observers hear of them')
  })
}

void t.test('their owner is told what is wrong with the data', async (t) => {
  for (const variant of variants) {
    const app = await makeNotes(t, variant, [])
    const patch = (data: object) => answerTo(app, 'PATCH /notes/1', data, '2')
    t.match(await patch({ price: 41 }), /^422/)
    t.match(await patch({ slug: 't' }), /^422/)
    t.match(await patch({ kept: 'x' }), /^401.*PROPERTY_DENIED/)
    t.match(await patch({ need: '' }), /^422/)
    t.match(await patch({ price: 42, slug: 's', kept: 'k', text: 'b' }), /^200/)
  }
})
