import t from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

const models = [
  {
    name: 'Thing',
    plural: 'things',
    scope: { order: 'rank' },
    properties: { label: 'string', rank: 'number', userId: 'number' },
    acls: [deny, rule('$authenticated', 'ALLOW', { rows: '$owner', fields: ['id', 'label'] })]
  }
]

const query = (filter: object): string => `?filter=${encodeURIComponent(JSON.stringify(filter))}`

const cursor = (place: object): string => Buffer.from(JSON.stringify(place)).toString('base64url')

void t.test('totals, links and cursors tell nothing of what a client may not see', async (t) => {
  const app = await makeApp(t, models)
  const rows = [1, 2, 1, 2, 1].map((userId, at) => ({ userId, label: `l${at}`, rank: 100 - at }))
  await app.models.get('Thing').create(rows)
  const list = async (filter: object, prefer = 'count=exact, links') => {
    const answer = await app.inject({ url: `/api/things${query(filter)}`, headers: { user: '1', prefer } })
    return { status: answer.statusCode, body: answer.body, headers: answer.headers }
  }
  const byRank = await list({ limit: 2 })
  t.equal(byRank.headers['x-total-count'], '3', 'records of others are not counted')
  t.equal(byRank.headers['link'], undefined, 'the default order is by a property that the client may not read')
  t.equal((await list({ limit: 2, after: cursor({ rank: 97, id: 4 }) })).status, 400)
  for (const filter of [{ order: 'rank' }, { order: 'rank', after: cursor({ rank: 97, id: 4 }) }])
    t.match(await list(filter), { status: 401 }, JSON.stringify(filter))
  const first = await list({ order: 'label', limit: 2, fields: ['label'] })
  t.strictSame(JSON.parse(first.body), [{ label: 'l0' }, { label: 'l2' }])
  const link = /<([^>]*)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
  const { after } = JSON.parse(new URLSearchParams(link).get('filter') ?? '{}') as { after: string } // as it was written
  t.strictSame(JSON.parse(Buffer.from(after, 'base64url').toString()), { label: 'l2', id: 3 })
  const second = await list({ order: 'label', limit: 2, after })
  t.strictSame(JSON.parse(second.body), [{ id: 5, label: 'l4' }])
  const beside = await list({ order: 'label', after: cursor({ label: 'l3', id: 4 }) })
  t.strictSame(JSON.parse(beside.body), [{ id: 5, label: 'l4' }], 'the place of a record of others is but a place')
})
