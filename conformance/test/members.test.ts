import { readFile } from 'node:fs/promises'
import t from 'tap'
import { examineOwn } from '#src/examine-own.ts'
import { type Members, missingMembers, objectsOf } from '#src/list-members.ts'

// Names alone: `node dist/members.js --loopback DIR --list` reads them from an installed LoopBack 3.28.
const recorded = new URL('../members.json', import.meta.url)

// What applications were found to need, by object.
const needed: Members = {
  Model:
    'validations modelBuilder registry checkAccess createOptionsFromRemotingContext getConnector findByIds registerProperty setup mixin'.split(
      ' '
    ),
  'Model.prototype': ['unsetAttribute'],
  DataSource: ['createModel', 'define', 'on', 'once', 'connected', 'modelBuilder', 'attach', 'buildModelFromInstance'],
  app: ['handler', 'connectors', 'remoteObjects', 'settings', 'mountpath', 'path', 'deleteModelByName'],
  loopback:
    'User AccessToken Role RoleMapping ACL Email Application Scope Change Checkpoint KeyValueModel createDataSource memory remoteMethod template configureModel GeoPoint DataSource ValidationError Connector version runInContext registry application query'.split(
      ' '
    ),
  remotes:
    'exports options handler connect invoke defineType defineObjectType convert addClass deleteClassByName registerPhaseHandler toJSON'.split(
      ' '
    )
}

void t.test('scripts find every member that LoopBack 3.28 has', async (t) => {
  const members = JSON.parse(await readFile(recorded, 'utf8')) as Members // a committed file
  t.ok(Object.values(members).flat().length > 500)
  await examineOwn(t.testdir(), (own) => {
    t.strictSame(missingMembers(members, objectsOf(own)), {})
  })
})

void t.test('what applications need is there, and is never undefined', async (t) => {
  await examineOwn(t.testdir(), (own) => {
    const objects = objectsOf(own)
    for (const [object, names] of Object.entries(needed))
      for (const name of names) t.not(Reflect.get(Object(objects[object]), name), undefined, `${object}.${name}`)
  })
})
