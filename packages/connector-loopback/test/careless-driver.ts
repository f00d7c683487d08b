type Callback = (error: unknown, result?: unknown) => void
type Stored = Record<string, unknown>

/** A connector that gives every record, whatever it is asked for, and removes every one unless an id is named. */
class Careless {
  readonly name = 'careless'
  readonly rows = new Map<unknown, Stored>()
  readonly asked: string[] = []
  next = 1

  getDefaultIdType(): NumberConstructor {
    return Number
  }

  create(_model: string, data: Stored, _options: object, callback: Callback): void {
    const id = this.next++
    this.rows.set(id, { ...data, id })
    callback(null, id)
  }

  all(_model: string, _filter: object, _options: object, callback: Callback): void {
    this.asked.push('all')
    callback(
      null,
      [...this.rows.values()].toReversed().map((row) => ({ ...row }))
    )
  }

  updateAttributes(_model: string, id: number, data: Stored, _options: object, callback: Callback): void {
    this.asked.push(`update ${id}`)
    Object.assign(this.rows.get(id) ?? {}, data)
    callback(null)
  }

  destroyAll(_model: string, where: Stored, _options: object, callback: Callback): void {
    this.asked.push(`destroy ${String(where['id'])}`)
    if (typeof where['id'] === 'number') this.rows.delete(where['id'])
    else this.rows.clear()
    callback(null)
  }
}

/** The module of a connector that heeds no condition, order or limit. */
export function carelessModule(): { driver: Careless; initialize: (dataSource: object, callback: Callback) => void } {
  const driver = new Careless()
  return {
    driver,
    initialize: (dataSource, callback) => {
      Reflect.set(dataSource, 'connector', driver)
      process.nextTick(callback, null)
    }
  }
}
