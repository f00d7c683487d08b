import t, { type Test } from 'tap'
import { bootApp } from '../make-app.ts'
import { withAccessModels } from './rules-and-models.ts'

/** What the boot script of an application with two user models leaves in the setting `found`. */
async function find(t: Test, script: string): Promise<unknown> {
  const app = await bootApp(t, {
    'server/model-config.json': withAccessModels({ Application: { dataSource: 'db', public: false } }),
    'server/boot/a.js': `
      var { AccessContext, Principal } = require('loopback/lib/access-context')
      module.exports = async function(app) {
        var registry = app.registry
        var models = ['One', 'Two'].map(name => registry.createModel(name, {}, { base: 'User', saltWorkFactor: 4 }))
        models.forEach(model => app.model(model, { dataSource: 'db' }))
        var [One, Two] = models
        var { AccessToken, RoleMapping, Role, User, Application } = app.models
        var polymorphic = { foreignKey: 'userId', discriminator: 'principalType' }
        AccessToken.belongsTo('user', { idName: 'id', polymorphic: Object.assign({ idType: 'number' }, polymorphic) })
        models.concat(User).forEach(model => model.hasMany('accessTokens', { polymorphic }))
        ${script}
      }`
  })
  return app.loopback.get('found')
}

t.test('tokens of several user models, declared by code, tell whose they are', async (t) => {
  const found = await find(
    t,
    `var user = await Two.create({ email: 'a@b.org', password: 'x' })
     var token = await Two.login({ email: 'a@b.org', password: 'x' })
     app.set('found', token.principalType)`
  )
  t.equal(found, 'Two')
})

// LoopBack 3.28 answers the same.
t.test('a mapping finds its user, application or role', async (t) => {
  const found = await find(
    t,
    `var user = await One.create({ email: 'one@b.org', password: 'x' })
     var two = await Two.create({ email: 'a@b.org', password: 'x' })
     var client = await Application.create({ name: 'shop' })
     var role = await Role.create({ name: 'admin' })
     var found = []
     for (var [principalType, principalId] of [['USER', user.id], ['Two', two.id], ['APP', client.id], ['ROLE', role.id], ['Nope', 1]]) {
       var mapping = await RoleMapping.create({ principalType, principalId, roleId: role.id })
       var all = await Promise.all([mapping.user(), mapping.application(), mapping.childRole()])
       found.push(all.map(one => one && (one.email || one.name)))
     }
     app.set('found', found)`
  )
  t.strictSame(found, [
    ['one@b.org', null, null],
    ['a@b.org', null, null],
    [null, 'shop', null],
    [null, null, 'admin'],
    [null, null, null]
  ])
})

// LoopBack 3.28 answers the same.
t.test('AccessContext knows the principals of a question', async (t) => {
  const found = await find(
    t,
    `var context = new AccessContext({ registry, model: 'Two', id: 3, accessToken: { userId: 7, principalType: 'Two', appId: 9 } })
     var other = new AccessContext({ registry })
     other.addPrincipal(Principal.ROLE, 'admin')
     other.addPrincipal('Nope', 1)
     app.set('found', [
       context.getUser(), context.getUserId(), context.getAppId(), context.isAuthenticated(), context.modelName,
       context.modelId, context.property, context.accessType, context.addPrincipal('Two', '7'), context.principals.length,
       other.getUser(), other.getAppId(), other.isAuthenticated(), other.accessToken.id,
       await Role.isInRole('$authenticated', context), await Role.isInRole('$authenticated', other)
     ])`
  )
  t.strictSame(found, [
    { id: 7, principalType: 'Two' },
    7,
    9,
    true,
    'Two',
    3,
    '*',
    '*',
    false,
    2,
    undefined,
    null,
    false,
    '$anonymous',
    true,
    false
  ])
})

t.test('where users are of several models, one without the name of the model owns nothing', async (t) => {
  const found = await find(
    t,
    `var user = await Two.create({ email: 'a@b.org', password: 'x' })
     var Album = registry.createModel('Album', {}, { relations: { user: { type: 'belongsTo', model: 'Two', foreignKey: 'userId' } } })
     app.model(Album, { dataSource: 'db' })
     var album = await Album.create({ userId: user.id })
     var ask = principalType => Role.isInRole('$owner', { principalType, principalId: user.id, model: Album, id: album.id })
     app.set('found', [await ask('USER'), await ask('One'), await ask('Two')])`
  )
  t.strictSame(found, [false, false, true])
})

t.test('an AccessContext without a registry is refused', async (t) => {
  const found = await find(t, `try { new AccessContext() } catch (error) { app.set('found', error.code) }`)
  t.equal(found, 'SCRIPT_ARGUMENT_INVALID')
})

// LoopBack 3.28 hands over the same.
t.test('observers of the look-up of an owner find the token that is asked about', async (t) => {
  const found = await find(
    t,
    `var Album = registry.createModel('Album', {}, { relations: { user: { type: 'belongsTo', model: 'Two', foreignKey: 'userId' } } })
     app.model(Album, { dataSource: 'db' })
     var album = await Album.create({ userId: 1 })
     Album.observe('access', async context => app.set('found', context.options))
     await Role.isInRole('$owner', { principalType: 'Two', principalId: 1, model: Album, id: album.id, accessToken: 'a-token' })`
  )
  t.strictSame(found, { accessToken: 'a-token' })
})
