/** The settings that scripts read with `app.get(name)` and set with `app.set(name, value)`. */
export interface AppSettings {
  get: (name: string) => unknown
  set: (name: string, value: unknown) => void
  /** Sets the values of a file. */
  merge: (values: Readonly<Record<string, unknown>>) => void
  /** The value used now; setting it later has no effect on that use. */
  fix: (name: string) => unknown
  /** The names of all settings. */
  names: () => readonly string[]
}

const defaults = { restApiRoot: '/api' }

/** The settings of `config.json`, with those that every application has. `onSet` is called for each one that is set. */
export function createSettings(
  values: Readonly<Record<string, unknown>>,
  env: string,
  onSet: (name: string, value: unknown) => void = () => {}
): AppSettings {
  const settings = new Map<string, unknown>(Object.entries({ ...defaults, env, ...values }))
  const fixed = new Map<string, unknown>()
  const set = (name: string, value: unknown): void => {
    settings.set(name, value)
    onSet(name, value)
  }
  return {
    get: (name) => settings.get(name),
    fix: (name) => {
      if (!fixed.has(name)) fixed.set(name, settings.get(name))
      return fixed.get(name)
    },
    names: () => [...settings.keys()],
    set,
    merge: (more) => {
      for (const [name, value] of Object.entries(more)) set(name, value)
    }
  }
}
