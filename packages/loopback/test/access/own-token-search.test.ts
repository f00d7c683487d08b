import t, { type Test } from 'tap'
import { bootApp } from '../make-app.ts'
import { rule, withAccessModels } from './rules-and-models.ts'

/** Statuses of the answers to an owner who names himself in several ways, where a script replaces a function of `AccessToken`. */
async function ask(t: Test, script: string): Promise<readonly number[]> {
  const app = await bootApp(t, {
    'common/models/thing.json': {
      name: 'Thing',
      acls: [rule('$everyone', 'DENY'), rule('$authenticated', 'ALLOW')]
    },
    'server/model-config.json': withAccessModels({}),
    'server/boot/auth.js': `module.exports = async app => {
      app.enableAuth()
      const { AccessToken, User } = app.models
      await User.create({ email: 'a@b.org', password: 'x' })
      await AccessToken.create({ id: 'good', ttl: 1000, userId: 1 })
      await AccessToken.create({ id: 'old', ttl: 1, created: new Date(0), userId: 1 })
      ${script}
    }`
  })
  const statuses: number[] = []
  for (const authorization of ['good', 'old', 'own', 'Own good', '']) {
    const { statusCode } = await app.inject({ url: '/api/Things?mine=1', headers: { authorization } })
    statuses.push(statusCode)
  }
  return statuses
}

// LoopBack 3.28 answers the same.
const cases: readonly (readonly [title: string, script: string, statuses: readonly number[]])[] = [
  ['nothing', '', [200, 401, 401, 401, 401]],
  [
    'resolve',
    `AccessToken.resolve = (id, cb) => cb(null, id === 'own' ? { id, userId: 1 } : undefined)`,
    [401, 401, 200, 401, 401]
  ],
  [
    'getIdForRequest',
    `AccessToken.getIdForRequest = req => req.header('Authorization').replace('Own ', '')`,
    [200, 401, 401, 200, 401]
  ],
  [
    'findForRequest',
    `AccessToken.findForRequest = (req, options, cb) => cb(null, req.query.mine === '1' ? { id: 'x', userId: 1 } : null)`,
    [200, 200, 200, 200, 200]
  ],
  ['validate', `AccessToken.prototype.validate = cb => cb(null, true)`, [200, 200, 401, 401, 401]],
  [
    'findForRequest, which refuses',
    `AccessToken.findForRequest = (req, options, cb) => cb(Object.assign(new Error('no'), { statusCode: 403 }))`,
    [403, 403, 403, 403, 403]
  ]
]

for (const [title, script, statuses] of cases) {
  void t.test(`a script that replaces ${title} of AccessToken is obeyed`, async (t) => {
    t.strictSame(await ask(t, script), statuses)
  })
}

void t.test('createAccessTokenId of AccessToken makes the ids of tokens', async (t) => {
  const app = await bootApp(t, {
    'server/model-config.json': withAccessModels({}),
    'common/models/thing.json': { name: 'Thing' },
    'server/boot/auth.js': `module.exports = async app => {
      app.models.AccessToken.createAccessTokenId = cb => cb(null, 'mine')
      const user = await app.models.User.create({ email: 'a@b.org', password: 'x' })
      app.set('found', (await user.createAccessToken(60)).id)
    }`
  })
  t.equal(app.loopback.get('found'), 'mine')
})
