import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { bootApp, type Files } from '../make-app.ts'
import { rule, withAccessModels } from './rules-and-models.ts'

const files: Files = {
  'common/models/thing.json': {
    name: 'Thing',
    properties: { label: 'string', userId: 'number' },
    acls: [rule('$everyone', 'DENY'), rule('$authenticated', 'ALLOW', { property: 'find' }), rule('$owner', 'ALLOW')]
  },
  'common/models/note.json': { name: 'Note', properties: { label: 'string' } },
  'server/model-config.json': withAccessModels({ Note: { dataSource: 'db', public: true } })
}

/** Two users, each with a thing, and what a script does. */
const script = (code: string, enable = true): Files => ({
  'server/boot/a.js': `module.exports = async app => {
    ${enable ? 'app.enableAuth()' : ''}
    const { User, Thing, Note } = app.models
    for (const name of ['ann', 'bob']) {
      const user = await User.create({ email: name + '@x.org', password: name })
      await Thing.create({ label: name, userId: user.id })
      app.set(name, (await user.createAccessToken(60)).id)
    }
    ${code}
  }`
})

type Ask = (path: string, user?: 'ann' | 'bob', method?: 'GET' | 'POST' | 'DELETE') => Promise<number>

async function start(
  t: Test,
  code: string,
  more: Files = {},
  enable = true
): Promise<{ app: FastifyInstance; ask: Ask }> {
  const app = await bootApp(t, { ...files, ...script(code, enable), ...more })
  const ask: Ask = async (path, user, method = 'GET') => {
    const headers = user === undefined ? {} : { authorization: String(app.loopback.get(user)) }
    return (await app.inject({ method, url: `/api/${path}`, headers })).statusCode
  }
  return { app, ask }
}

void t.test('without functions of scripts rules decide', async (t) => {
  const { ask } = await start(t, '')
  t.strictSame([await ask('Things'), await ask('Things', 'ann'), await ask('Things/1', 'ann')], [401, 200, 200])
  t.strictSame([await ask('Things/2', 'ann'), await ask('Notes')], [401, 200])
})

void t.test('remotes.authorization decides in their place', async (t) => {
  const { ask } = await start(
    t,
    `app.remotes().authorization = (ctx, next) => {
      if (ctx.method.ctor === Thing && ctx.method.name === 'find') return next()
      const error = Object.assign(new Error('no'), { statusCode: 403, code: 'NO' })
      setImmediate(next, ctx.instance && ctx.req.query.open ? null : error)
    }`
  )
  t.strictSame(
    [await ask('Things'), await ask('Notes'), await ask('Notes', 'ann'), await ask('Things/1')],
    [200, 403, 403, 403]
  )
  t.equal(await ask('Things/1', 'ann'), 403, 'its owner as well')
})

void t.test('remotes.authorization may ask what was there before', async (t) => {
  const { ask } = await start(
    t,
    `const before = app.remotes().authorization
     app.remotes().authorization = (ctx, next) => ctx.req.query.stop ? next(Object.assign(new Error('stop'), { statusCode: 418 })) : before(ctx, next)`
  )
  t.strictSame([await ask('Things'), await ask('Things', 'ann'), await ask('Things/1', 'ann')], [401, 200, 200])
  t.strictSame([await ask('Things/2', 'ann'), await ask('Things/1?stop=1', 'ann'), await ask('Notes')], [401, 418, 200])
})

void t.test('a function that fails, or answers by a promise alone, opens nothing', async (t) => {
  for (const body of ['throw new Error("oh")', 'return Promise.reject(new Error("oh"))', 'next("no")']) {
    const { ask } = await start(t, `app.remotes().authorization = (ctx, next) => { ${body} }`)
    t.equal(await ask('Notes'), 500, body)
  }
  const { app, ask } = await start(
    t,
    `const before = app.remotes().authorization
     app.remotes().authorization = (ctx, next) => ctx.method.ctor === Note ? Promise.resolve() : before(ctx, next)`
  )
  let isAnswered = false
  app.inject({ url: '/api/Notes' }, () => (isAnswered = true))
  // Another one that comes later and takes longer.
  t.equal(await ask('Things/1', 'ann'), 200)
  t.equal(isAnswered, false)
})

void t.test('remotes.authorization works without enableAuth, and null takes access control away', async (t) => {
  const stop = 'app.remotes().authorization = (ctx, next) => next(Object.assign(new Error("no"), { statusCode: 403 }))'
  t.equal(await (await start(t, stop, {}, false)).ask('Notes'), 403)
  t.equal(await (await start(t, 'app.remotes().authorization = null')).ask('Things/2'), 200)
  const { app } = await start(t, '', {}, false)
  const remotes = app.loopback.remotes()
  t.equal(remotes.authorization, undefined)
  t.throws(() => Object.assign(remotes, { authorization: () => {} }), { code: 'SCRIPT_ARGUMENT_INVALID' })
  t.throws(() => Object.assign(remotes, { authorization: 'no' }), { code: 'SCRIPT_ARGUMENT_INVALID' })
})

void t.test('rules in a shape of the application’s own are read by its own function', async (t) => {
  const own: Files = {
    'common/models/note.json': { name: 'Note', properties: { label: 'string' }, acls: { find: '*', READ: ['reader'] } }
  }
  const rules =
    'ctx.method.ctor.settings.acls?.[ctx.method.name] ? next() : next(Object.assign(new Error("no"), { statusCode: 403 }))'
  const replaced = await start(t, `app.remotes().authorization = (ctx, next) => ${rules}`, own, false)
  t.strictSame([await replaced.ask('Notes'), await replaced.ask('Notes/count')], [200, 403])
  const ofModel = await start(
    t,
    'Note.checkAccess = (token, id, method, ctx, cb) => cb(null, method.name in method.ctor.settings.acls)',
    own
  )
  t.strictSame([await ofModel.ask('Notes'), await ofModel.ask('Notes/count')], [200, 401])
  await t.rejects(start(t, '', own), { code: 'ACCESS_RULE_INVALID' }, 'access control cannot read them')
})

void t.test('checkAccess of a model decides about its methods', async (t) => {
  const { ask } = await start(t, '', {
    'common/models/note.js': `module.exports = Note => {
        Note.checkAccess = function (token, id, method, ctx, callback) {
          if (id === '7') return callback(new Error('broken'))
          setImmediate(callback, null, this === Note && token !== null && method.name !== 'deleteById' && ctx.method.name === method.name)
        }
      }`
  })
  t.strictSame([await ask('Notes'), await ask('Notes', 'ann'), await ask('Notes/1', 'ann')], [401, 200, 404])
  t.strictSame([await ask('Notes/1', 'ann', 'DELETE'), await ask('Notes/7', 'ann')], [401, 500])
  t.equal(await ask('Things', 'ann'), 200, 'other models keep theirs')
})

void t.test('checkAccess may ask what was there before, and be asked by scripts', async (t) => {
  const { app, ask } = await start(t, '', {
    'common/models/thing.js': `module.exports = Thing => {
        const before = Thing.checkAccess
        Thing.checkAccess = function (token, id, method, ctx, callback) {
          before.call(this, token, id, method, ctx, (error, allowed) => callback(error, allowed || id === '2'))
        }
      }`
  })
  t.strictSame([await ask('Things'), await ask('Things', 'ann'), await ask('Things/1', 'ann')], [401, 200, 200])
  t.strictSame([await ask('Things/1', 'bob'), await ask('Things/2'), await ask('Things/3')], [401, 200, 401])
  const { Note, Thing } = app.loopback.models as unknown as Record<
    string,
    { checkAccess: (...args: unknown[]) => unknown }
  >
  t.equal(await Note?.checkAccess(undefined, undefined, { name: 'find', accessType: 'READ' }), true)
  const token = { id: 'x', userId: 1 }
  const asked = async (id: unknown, given: unknown) =>
    new Promise(
      (resolve) =>
        void Thing?.checkAccess(
          given,
          id,
          { name: 'findById', accessType: 'READ' },
          {},
          (_error: unknown, yes: unknown) => resolve(yes)
        )
    )
  t.strictSame([await asked(1, token), await asked(1, undefined), await asked('2', undefined)], [true, false, true])
})

void t.test('ACL.checkAccessForContext decides about all methods', async (t) => {
  const { ask } = await start(
    t,
    `const { ACL } = app.models, before = ACL.checkAccessForContext
     ACL.checkAccessForContext = function (asked, callback) {
       if (asked.remotingContext.req.query.open) return callback(null, { isAllowed: () => true })
       before.call(ACL, asked, callback)
     }`
  )
  t.strictSame([await ask('Things'), await ask('Things?open=1'), await ask('Things', 'ann')], [401, 200, 200])
  t.strictSame([await ask('Things/1', 'ann'), await ask('Things/2', 'ann')], [200, 401])
})

void t.test('createOptionsFromRemotingContext makes the options of calls', async (t) => {
  const { app } = await start(t, '', {
    'common/models/note.js': `module.exports = Note => {
        const before = Note.createOptionsFromRemotingContext
        Note.createOptionsFromRemotingContext = function (ctx) {
          return Object.assign(before.call(this, ctx), { tenant: ctx.req.query.tenant, method: ctx.method.name })
        }
        Note.observe('access', async ctx => { Note.seen = ctx.options })
        Note.tell = async options => options
        Note.remoteMethod('tell', { accepts: { arg: 'options', type: 'object', http: 'optionsFromRequest' }, returns: { arg: 'o', root: true, type: 'object' }, http: { verb: 'get' } })
      }`
  })
  const headers = { authorization: String(app.loopback.get('ann')) }
  const told = await app.inject({ url: '/api/Notes/tell?tenant=t1&options={"tenant":"t2"}', headers })
  t.match(told.json(), { tenant: 't1', method: 'tell', accessToken: { userId: 1 } })
  await app.inject({ url: '/api/Notes?tenant=t3', headers })
  const { Note } = app.loopback.models as unknown as Record<string, { seen: object }>
  t.match(Note?.seen, { tenant: 't3', method: 'find', accessToken: { userId: 1 } })
})

void t.test('rules that scripts add are obeyed, and refused once they would have no effect', async (t) => {
  const more = "{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }"
  const { app, ask } = await start(
    t,
    `Note.settings.acls = [${more}]; Thing.settings.acls.push(${more.replace('DENY', 'ALLOW').replace(' }', ", property: 'find' }")})`
  )
  t.strictSame([await ask('Notes'), await ask('Things')], [401, 200])
  const models = app.loopback.models as unknown as Record<string, { settings: { acls: { permission: string }[] } }>
  const change: readonly (() => void)[] = [
    () => models['Note']?.settings.acls.push({ permission: 'ALLOW' }),
    () => models['Note']?.settings.acls.pop(),
    () => void Object.assign(models['Thing']?.settings.acls[0] ?? {}, { permission: 'ALLOW' }),
    () => void Object.assign(models['User']?.settings ?? {}, { acls: [] })
  ]
  for (const each of change) t.throws(each, { code: 'SCRIPT_ARGUMENT_INVALID', where: { key: 'acls' } })
  t.equal(models['Note']?.settings.acls[0]?.permission, 'DENY')
})
