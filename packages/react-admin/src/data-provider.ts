import type {
  CreateParams,
  DataProvider,
  DeleteManyParams,
  DeleteParams,
  GetListParams,
  GetManyParams,
  GetManyReferenceParams,
  GetOneParams,
  Identifier,
  RaRecord,
  UpdateManyParams,
  UpdateParams
} from 'ra-core'
import { type ModelwireDataProviderOptions, readResources, type ResourceSettings } from './options.ts'
import { partsOfMeta, queryOf, readList } from './read-list.ts'
import { changesOf, idInPath, ifMatch, toBody, toRecord, toRecords } from './records.ts'
import { createSend, type Send } from './send.ts'
import { visitedPages } from './visited-pages.ts'
import { whereOf } from './where-of.ts'

type SettingsOf = (name: string) => ResourceSettings

/** Ids of one request: a query has room for these, whatever they look like. */
const idsAtOnce = 100

const pathOf = (resource: ResourceSettings, id: Identifier): string => `${resource.name}/${idInPath(resource, id)}`

function portionsOf<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / idsAtOnce)
  return Array.from({ length: count }, (_, at) => items.slice(at * idsAtOnce, (at + 1) * idsAtOnce))
}

function listMethods(send: Send, settingsOf: SettingsOf) {
  const reader = { send, visited: visitedPages() }
  return {
    async getList(name: string, { filter, meta, ...page }: GetListParams) {
      const resource = settingsOf(name)
      return readList({ ...page, meta: meta as unknown, resource, where: whereOf(filter, resource) }, reader)
    },
    async getManyReference(name: string, { target, id, filter, meta, ...page }: GetManyReferenceParams) {
      const resource = settingsOf(name)
      const own = { [target]: id }
      const more = whereOf(filter, resource)
      const where = more === undefined ? own : { and: [own, more] }
      return readList({ ...page, meta: meta as unknown, resource, where }, reader)
    }
  }
}

function readMethods(send: Send, settingsOf: SettingsOf) {
  return {
    async getOne(name: string, { id, meta, signal }: GetOneParams) {
      const resource = settingsOf(name)
      const { body } = await send({ path: pathOf(resource, id) + queryOf('filter', partsOfMeta(meta)), signal })
      return { data: toRecord(body, resource) }
    },
    async getMany(name: string, { ids, meta, signal }: GetManyParams) {
      const resource = settingsOf(name)
      const read = async (portion: Identifier[]) => {
        const where = { [resource.idProperties.join()]: { inq: portion } }
        const query = queryOf('filter', { where, limit: portion.length, ...partsOfMeta(meta) })
        return toRecords((await send({ path: name + query, signal })).body, resource)
      }
      return { data: (await Promise.all(portionsOf(ids).map(read))).flat() }
    }
  }
}

/** For changes of several records, whose versions react-admin does not give: any version will do. */
const anyVersion = ({ versionProperty }: ResourceSettings): Readonly<Record<string, string>> =>
  versionProperty === false ? {} : { 'if-match': '*' }

/** Changes records one by one, each by the rules of its own. When all are done, throws the first error. */
async function changeEach(ids: readonly Identifier[], change: (id: Identifier) => Promise<unknown>) {
  for (const portion of portionsOf(ids)) {
    const results = await Promise.allSettled(portion.map(change))
    const failed = results.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }
  return { data: [...ids] }
}

function changeMethods(send: Send, settingsOf: SettingsOf) {
  return {
    async create(name: string, { data }: CreateParams) {
      const resource = settingsOf(name)
      const { body } = await send({ method: 'POST', path: name, body: toBody(data, resource) })
      return { data: toRecord(body, resource) }
    },
    async update(name: string, { id, data, previousData }: UpdateParams) {
      const resource = settingsOf(name)
      const headers = ifMatch(previousData, resource)
      const changes = changesOf(data, previousData, resource)
      const { body } = await send({ method: 'PATCH', path: pathOf(resource, id), headers, body: changes })
      return { data: toRecord(body, resource) }
    },
    async updateMany(name: string, { ids, data }: UpdateManyParams) {
      const resource = settingsOf(name)
      const body = changesOf(data, undefined, resource)
      const headers = anyVersion(resource)
      return changeEach(ids, (id) => send({ method: 'PATCH', path: pathOf(resource, id), headers, body }))
    }
  }
}

function deleteMethods(send: Send, settingsOf: SettingsOf) {
  return {
    async delete(name: string, { id, previousData }: DeleteParams<RaRecord>) {
      const resource = settingsOf(name)
      await send({ method: 'DELETE', path: pathOf(resource, id), headers: ifMatch(previousData, resource) })
      return { data: { ...previousData, id } }
    },
    async deleteMany(name: string, { ids }: DeleteManyParams) {
      const resource = settingsOf(name)
      const headers = anyVersion(resource)
      return changeEach(ids, (id) => send({ method: 'DELETE', path: pathOf(resource, id), headers }))
    }
  }
}

/**
 * Makes a react-admin data provider for a REST API of Modelwire or LoopBack 3. Names of resources are paths below its URL,
 * such as `Products`.
 * @param url the address of the API, such as `/api` or `https://shop.example/api`
 */
export function modelwireDataProvider(url: string, options: ModelwireDataProviderOptions = {}): DataProvider {
  const send = createSend(url, options)
  const settingsOf = readResources(options)
  // What a list or a form takes the records for is up to the application: react-admin's type parameters are not checked either.
  return {
    ...listMethods(send, settingsOf),
    ...readMethods(send, settingsOf),
    ...changeMethods(send, settingsOf),
    ...deleteMethods(send, settingsOf),
    supportAbortSignal: true
  } as DataProvider
}
