import { accountOf, type Persona } from './accounts.ts'
import type { Application, Credentials } from './application.ts'
import type { Description, Operation } from './description.ts'
import type { Exchange, Session } from './exchange.ts'
import { makeRecord, type Material, valueOfType } from './make-record.ts'
import { nameOf, targetOf } from './operation-name.ts'
import { pairOf, type Pair } from './pair.ts'
import { knownRecord, objectOf, type Records, remember } from './records.ts'
import type { Request } from './request.ts'

const recordsPerModel = 3

type Values = Readonly<Record<string, unknown>>

const plainRequest = (operation: Operation, persona: Persona, body: unknown, path: Values = {}): Request => ({
  operation,
  persona,
  kind: 'seed',
  path,
  query: {},
  headers: {},
  body
})

const bodies = ({ loopback, modelwire }: Exchange) => ({ loopback: loopback.body, modelwire: modelwire.body })
const isDone = ({ loopback: { status } }: Exchange): boolean => status >= 200 && status < 300

function find(description: Description, model: string, verb: string): Operation | undefined {
  return description.operations.find((operation) => operation.method === `${model}.${verb}`)
}

/** The model whose accounts sign in: of several, the one that most relations lead to. */
export function accountModel(credentials: Credentials, { operations, models }: Description): string | undefined {
  if (credentials.model !== undefined) return credentials.model
  const withLogin = operations
    .filter(({ method }) => method.endsWith('.login'))
    .map(({ method }) => method.split('.')[0] ?? '')
    .filter((name) => models[name]?.isUser === true)
  const references = (name: string): number =>
    Object.values(models).flatMap(({ relations }) => Object.values(relations).filter(({ target }) => target === name))
      .length
  return withLogin.toSorted((one, other) => references(other) - references(one))[0]
}

async function signIn(session: Session, application: Application, login: Operation, persona: Persona) {
  const account = accountOf(persona, application.credentials)
  const by = application.credentials.loginBy ?? 'email'
  const body = { [by]: account[by], password: account['password'] }
  const exchange = await session.send(plainRequest(login, 'anonymous', body))
  const [loopback, modelwire] = [exchange.loopback, exchange.modelwire].map((one) => objectOf(one.body))
  if (loopback?.['id'] === undefined) return undefined
  session.signIn(persona, pairOf(loopback['id'], modelwire?.['id']))
  return { user: pairOf(loopback['userId'], modelwire?.['userId']), bodies: bodies(exchange) }
}

/** Makes the accounts of owner and stranger unless a boot script did, and signs both in; gives the owner's id. */
export async function makeAccounts(
  session: Session,
  application: Application,
  description: Description,
  records: Records
): Promise<Pair | undefined> {
  const model = accountModel(application.credentials, description)
  if (model === undefined) return undefined
  const [create, login] = [find(description, model, 'create'), find(description, model, 'login')]
  if (login === undefined || login.method in application.skip) return undefined
  let owner: Pair | undefined
  const { values = {} } = application
  const material: Material = { description, records: new Map(), owner, values, next: () => 1 }
  // The owner signs in twice: the first token is one that may be destroyed.
  for (const persona of ['stranger', 'owner', 'owner'] as const) {
    const account = makeRecord(model, material, accountOf(persona, application.credentials))
    if (create !== undefined && application.credentials.seed !== 'boot' && owner === undefined)
      await session.send(plainRequest(create, 'anonymous', account))
    const signedIn = await signIn(session, application, login, persona)
    if (persona !== 'owner') continue
    if (signedIn !== undefined && owner === undefined) remember(records, `${model}.accessTokens`, 'id', signedIn.bodies)
    owner = signedIn?.user
  }
  return owner
}

/** Models before those that refer to them. */
export function inOrder({ models }: Description): readonly string[] {
  const sorted: string[] = []
  const visit = (name: string, path: readonly string[]): void => {
    if (sorted.includes(name) || path.includes(name) || models[name] === undefined) return
    for (const { kind, target } of Object.values(models[name].relations))
      if (kind === 'belongsTo') visit(target, [...path, name])
    sorted.push(name)
  }
  for (const name of Object.keys(models)) visit(name, [])
  return sorted
}

/** The properties that an answer says are invalid, with what it says of each. */
function invalidProperties({ loopback }: Exchange): Readonly<Record<string, unknown>> {
  const error = objectOf(loopback.body)?.['error']
  const details = typeof error === 'object' && error !== null && 'details' in error ? error.details : undefined
  const codes = typeof details === 'object' && details !== null && 'codes' in details ? details.codes : undefined
  return typeof codes === 'object' && codes !== null ? { ...codes } : {}
}

/** Creates a record; when LoopBack says which properties are wrong, once more with other values for them. */
async function createRecord(session: Session, request: Request, material: Material): Promise<Exchange> {
  const first = await session.send(request)
  const invalid = invalidProperties(first)
  if (isDone(first) || Object.keys(invalid).length === 0) return first
  const body = typeof request.body === 'object' && request.body !== null ? request.body : {}
  const values = Object.entries(invalid).map(([name, codes]): [string, unknown] => [
    name,
    String(codes).includes('absence') ? undefined : valueOfType('string', name, material)
  ])
  return session.send({ ...request, kind: 'seed again', body: { ...body, ...Object.fromEntries(values) } })
}

async function createRelated(session: Session, operation: Operation, material: Material): Promise<void> {
  const name = nameOf(operation)
  const target = targetOf(material.description, name)
  // Their ids are random, so that lists would come in another order on each side.
  if (target !== undefined && /accesstoken$/i.test(target)) return
  const isUser = material.description.models[name.model]?.isUser === true
  const parent = isUser ? material.owner : knownRecord(material.records, name.model)?.id
  if (target === undefined || parent === undefined) return
  const { keyTo = '', kind = '' } = material.description.models[name.model]?.relations[name.relation ?? ''] ?? {}
  const { [keyTo]: _, ...values } = makeRecord(target, material)
  const body = kind === 'hasMany' || kind === 'hasOne' ? values : makeRecord(target, material)
  const exchange = await createRecord(session, plainRequest(operation, 'owner', body, { id: parent }), material)
  if (!isDone(exchange)) return
  const idName = material.description.models[target]?.idName ?? 'id'
  remember(material.records, `${name.model}.${name.relation ?? ''}`, idName, bodies(exchange))
}

async function findExisting(session: Session, model: string, material: Material): Promise<void> {
  const operation = find(material.description, model, 'find')
  if (operation === undefined) return
  const exchange = await session.send({
    ...plainRequest(operation, 'owner', undefined),
    query: { filter: { limit: 3 } }
  })
  const lists = [exchange.loopback.body, exchange.modelwire.body].map((body): readonly unknown[] => {
    try {
      const json: unknown = JSON.parse(body)
      return Array.isArray(json) ? json : []
    } catch {
      return []
    }
  })
  const [mine = [], yours = []] = lists
  for (const [at, one] of mine.entries())
    remember(material.records, model, material.description.models[model]?.idName ?? 'id', {
      loopback: JSON.stringify(one),
      modelwire: JSON.stringify(yours[at] ?? {})
    })
}

async function createRecords(
  session: Session,
  { create, model, wanted }: { readonly create: Operation; readonly model: string; readonly wanted: number },
  material: Material
): Promise<void> {
  const idName = material.description.models[model]?.idName ?? 'id'
  for (let made = 0; made < wanted && !session.isSilent(create.method); made += 1) {
    const exchange = await createRecord(session, plainRequest(create, 'owner', makeRecord(model, material)), material)
    if (isDone(exchange)) remember(material.records, model, idName, bodies(exchange))
    if (material.description.models[model]?.isStorage === true) return
  }
}

/** What may be sent to make records. */
export interface SeedBounds {
  readonly isCalled: (operation: Operation) => boolean
  /** At most about this many requests; models get fewer records then, and relations none. */
  readonly requests: number
}

/** Creates records of every model that allows it, and through every relation. */
export async function seedRecords(
  session: Session,
  material: Material,
  { isCalled, requests }: SeedBounds
): Promise<void> {
  const { description, records } = material
  const models = inOrder(description)
  const wanted = Math.max(1, Math.min(recordsPerModel, Math.floor(requests / 2 / models.length)))
  for (const model of models) {
    const create = find(description, model, description.models[model]?.isStorage ? 'createContainer' : 'create')
    if (create !== undefined && isCalled(create)) await createRecords(session, { create, model, wanted }, material)
    if (!records.has(model)) await findExisting(session, model, material)
  }
  const throughRelations = description.operations.filter((one) => nameOf(one).verb === '__create__' && isCalled(one))
  const room = Math.max(0, Math.floor(requests - session.exchanges.length))
  for (const operation of throughRelations.slice(0, room)) await createRelated(session, operation, material)
}
