import { randomUUID } from 'node:crypto'
import { accounts } from '../application/stock.ts'
import { Answers } from './answers.ts'
import { Client } from './client.ts'

/** How much is sent in a second. */
export interface Rates {
  readonly writes: number
  readonly reads: number
  readonly logins: number
}

/** An order that was acknowledged. */
export interface Acknowledged {
  readonly reference: string
  readonly id: unknown
}

/** Customers of the shop who log in, order, and look at what they ordered. */
export class Load {
  readonly answers = new Answers()
  readonly acknowledged: Acknowledged[] = []
  /** Writes whose outcome the client does not know. */
  readonly unknown: string[] = []
  /** Reads of a client's own last order that did not find it. */
  stale = 0
  /** Requests that were not sent since too many waited. */
  skipped = 0
  readonly #clients: readonly Client[]
  /** People without an account, who only look: their reads may come from the standby. */
  readonly #visitors: readonly Client[]
  readonly #last = new WeakMap<Client, Acknowledged>()
  readonly #url: string
  #waiting = 0
  #number = 0

  constructor(url: string, clients = 8) {
    this.#url = url
    this.#clients = Array.from({ length: clients }, (_, at) => new Client(url, `10.1.0.${at + 1}`, this.answers))
    this.#visitors = Array.from({ length: clients }, (_, at) => new Client(url, `10.4.0.${at + 1}`, this.answers))
  }

  /** Logs the customers in; rejects where one cannot. */
  async begin(): Promise<void> {
    for (const client of this.#clients)
      if (!(await client.logIn(accounts.customer))) throw new Error('a customer cannot log in')
  }

  /** Sends until it is stopped; the returned function resolves when the last answer is there. */
  start({ writes, reads, logins }: Rates): () => Promise<void> {
    const timers = [
      setInterval(() => this.#send((client) => this.#write(client)), 1000 / writes),
      setInterval(() => this.#send((client) => this.#read(client)), 1000 / reads),
      setInterval(() => this.#send(() => this.#logIn()), 1000 / logins)
    ]
    return async () => {
      for (const timer of timers) clearInterval(timer)
      while (this.#waiting > 0) await new Promise((resolve) => setTimeout(resolve, 50))
      for (const client of [...this.#clients, ...this.#visitors]) client.close()
    }
  }

  #send(act: (client: Client) => Promise<void>): void {
    const client = this.#clients[this.#number++ % this.#clients.length]
    if (client === undefined || this.#waiting >= 64) {
      this.skipped++
      return
    }
    void this.#follow(act(client))
  }

  async #follow(act: Promise<void>): Promise<void> {
    this.#waiting++
    await act
    this.#waiting--
  }

  async #write(client: Client): Promise<void> {
    const last = this.#last.get(client)
    if (last !== undefined && this.#number % 4 === 0) {
      const path = `/api/Orders/${String(last.id)}`
      return void (await client.send({ kind: 'patch', method: 'PATCH', path, body: { status: 'paid' } }))
    }
    const reference = randomUUID()
    const body = { reference, quantity: 1, productId: 1 }
    const answer = await client.send({ kind: 'create', method: 'POST', path: '/api/Orders', body })
    if (answer.status !== 200) return void this.unknown.push(reference)
    const order = { reference, id: answer.body['id'] }
    this.acknowledged.push(order)
    this.#last.set(client, order)
  }

  async #read(client: Client): Promise<void> {
    const last = this.#last.get(client)
    if (last === undefined || this.#number % 3 === 0) {
      const path = '/api/Products?filter={"where":{"price":{"lt":200}},"order":"price"}'
      const visitor = this.#visitors[this.#number % this.#visitors.length]
      return void (await visitor?.send({ kind: 'list', method: 'GET', path: encodeURI(path) }))
    }
    const { status } = await client.send({ kind: 'read', method: 'GET', path: `/api/Orders/${String(last.id)}` })
    if (status === 404) this.stale++
  }

  /** Someone from another address logs in, and out again; now and then with a wrong password. */
  async #logIn(): Promise<void> {
    const number = this.#number
    const client = new Client(this.#url, `10.2.${(number >> 8) & 255}.${number & 255}`, this.answers)
    if (number % 7 === 0) {
      const body = { email: `person${number}@shop.example`, password: 'not this one' }
      await client.send({ kind: 'wrong login', method: 'POST', path: '/api/Customers/login', body })
    } else if (await client.logIn({ ...accounts.customer, ttl: 600 }))
      await client.send({ kind: 'logout', method: 'POST', path: '/api/Customers/logout' })
    client.close()
  }
}
