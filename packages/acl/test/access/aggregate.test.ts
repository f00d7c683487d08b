import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

/** Everybody sums what is theirs, without salaries; the boss, user 9, sums all; auditors may read and not sum. */
async function makeApplication(t: Test, { hooked = false, compat = false } = {}): Promise<FastifyInstance> {
  const claim = {
    name: 'Claim',
    plural: 'claims',
    aggregate: { limit: 50 },
    hidden: ['secret'],
    properties: { kind: 'string', amount: 'number', salary: 'number', secret: 'number', teamId: 'number' },
    relations: {
      owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' },
      team: { type: 'belongsTo', model: 'Team', foreignKey: 'teamId' }
    },
    acls: [
      deny,
      rule('$authenticated', 'ALLOW', { accessType: 'READ', rows: '$owner', fields: { except: ['salary'] } }),
      rule('boss', 'ALLOW', { accessType: 'READ' }),
      rule('auditor', 'ALLOW', { property: 'find' }),
      rule('auditor', 'DENY', { property: 'aggregate' })
    ]
  }
  const team = { name: 'Team', plural: 'teams', hidden: ['budget'], properties: { title: 'string', budget: 'number' } }
  const prepare = ({ models }: FastifyInstance): void => {
    if (!hooked) return
    models.remoteHooks.add('after', 'Claim.**', async () => {})
    models.get('Claim').observe('access', async () => {})
  }
  const app = await makeApp(t, [claim, team], {}, { compat, prepare })
  app.access.registerRole('boss', ({ principal }) => principal?.userId === 9)
  app.access.registerRole('auditor', ({ principal }) => principal?.userId === 7)
  await app.models.get('Team').create([
    { title: 'x', budget: 1 },
    { title: 'y', budget: 2 }
  ])
  await app.models.get('Claim').create([
    { kind: 'travel', amount: 10, salary: 100, secret: 1, ownerId: 1, teamId: 1 },
    { kind: 'travel', amount: 20, salary: 200, secret: 2, ownerId: 1, teamId: 2 },
    { kind: 'food', amount: 5, salary: 300, secret: 3, ownerId: 1, teamId: 1 },
    { kind: 'food', amount: 1000, salary: 400, secret: 4, ownerId: 2, teamId: 2 }
  ])
  return app
}

async function ask(app: FastifyInstance, request: object, user?: number): Promise<{ status: number; body: unknown }> {
  const url = `/api/claims/aggregate?filter=${encodeURIComponent(JSON.stringify(request))}`
  const { statusCode, payload } = await app.inject({ url, headers: user === undefined ? {} : { user: String(user) } })
  return { status: statusCode, body: JSON.parse(payload) }
}

const codeOf = ({ body }: { readonly body: unknown }): unknown =>
  typeof body === 'object' && body !== null && 'error' in body ? Object(body.error).code : undefined

const byKind = { group: ['kind'], count: true, sum: 'amount' }
const variants = [false, true].flatMap((hooked) => [false, true].map((compat) => ({ hooked, compat })))

for (const variant of variants) {
  const name = `${variant.hooked ? ' with hooks' : ''}${variant.compat ? ' in compat mode' : ''}`

  void t.test(`nobody learns of rows outside the restriction by sums and groups${name}`, async (t) => {
    const app = await makeApplication(t, variant)
    t.equal((await ask(app, byKind)).status, 401, 'not logged in')
    t.same((await ask(app, byKind, 1)).body, [
      { kind: 'food', count: 1, sum_amount: 5 },
      { kind: 'travel', count: 2, sum_amount: 30 }
    ])
    t.same((await ask(app, { count: true, max: 'amount' }, 1)).body, [{ count: 3, max_amount: 20 }])
    t.same((await ask(app, { ...byKind, where: { ownerId: 2 } }, 1)).body, [], 'its own where applies within')
    t.same((await ask(app, { count: true, where: { or: [{ ownerId: 2 }, { amount: { gt: 100 } }] } }, 1)).body, [
      { count: 0 }
    ])
    t.same((await ask(app, { count: true, having: { count: { gt: 3 } } }, 1)).body, [])
    t.same((await ask(app, { count: true }, 3)).body, [{ count: 0 }], 'nothing is theirs')
    t.same((await ask(app, { count: true, sum: 'salary' }, 9)).body, [{ count: 4, sum_salary: 1000 }])
    t.equal((await ask(app, byKind, 7)).status, 401, 'a rule on aggregate decides')
  })

  void t.test(`nobody learns of a property that they may not read${name}`, async (t) => {
    const app = await makeApplication(t, variant)
    for (const property of ['salary', 'secret'])
      for (const request of naming(property)) {
        const answer = await ask(app, request, 1)
        t.not(answer.status, 200, JSON.stringify(request))
        t.type(codeOf(answer), 'string', JSON.stringify(answer.body))
      }
    t.equal(codeOf(await ask(app, { sum: 'secret' }, 9)), 'HIDDEN_PROPERTY_IN_FILTER', 'also of those who see all rows')
    const hiddenThere = await ask(app, { count: true, where: { 'team.budget': 1 } }, 9)
    if (!variant.compat) t.equal(codeOf(hiddenThere), 'HIDDEN_PROPERTY_IN_FILTER')
    t.same((await ask(app, { count: true, where: { 'team.title': 'x' } }, 1)).body, [{ count: 2 }])
  })
}

/** Requests that name a property in every place where one is named. */
function naming(property: string): readonly object[] {
  const measured = ['count', 'sum', 'avg', 'min', 'max'].flatMap((fn) => [
    { [fn]: property },
    { [fn]: [property] },
    { [fn]: { x: property } }
  ])
  const inResult = [
    { count: true, having: { [property]: 1 } },
    { count: true, having: { or: [{ [`sum_${property}`]: { gt: 1 } }] } },
    { count: true, having: { [`${property}.x`]: 1 } },
    { count: true, group: ['kind'], order: property },
    { count: true, group: ['kind'], order: [`max_${property} DESC`] }
  ]
  return [{ group: property }, { group: [property] }, { group: ['kind', property] }, ...measured, ...inResult]
}

void t.test('a condition on a property that the caller may not read is refused as in lists', async (t) => {
  const app = await makeApplication(t)
  for (const property of ['salary', 'secret']) {
    const where = { and: [{ [property]: { gt: 1 } }] }
    const listed = await app.inject({
      url: `/api/claims?filter=${encodeURIComponent(JSON.stringify({ where }))}`,
      headers: { user: '1' }
    })
    const summed = await ask(app, { count: true, where }, 1)
    t.equal(summed.status, listed.statusCode)
    t.equal(codeOf(summed), listed.json<{ error: { code: string } }>().error.code)
  }
})

void t.test('code of the application sums everything', async (t) => {
  const app = await makeApplication(t)
  const Claim = app.models.get('Claim')
  t.same(await Claim.aggregate({ count: true, sum: ['salary', 'secret'] }), [
    { count: 4, sum_salary: 1000, sum_secret: 10 }
  ])
})
