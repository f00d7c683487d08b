import type { AppSettings } from '../../config/app-settings.ts'

/** `app.settings`: the settings as an object that is read and written. */
export function settingsView(settings: AppSettings, defaultOf: (name: string) => unknown): Record<string, unknown> {
  const read = (key: PropertyKey): unknown =>
    typeof key === 'string' ? (settings.get(key) ?? defaultOf(key)) : undefined
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (target, key, receiver): unknown => read(key) ?? Reflect.get(target, key, receiver),
      has: (_target, key) => read(key) !== undefined,
      ownKeys: () => [...settings.names()],
      getOwnPropertyDescriptor: (_target, key) => {
        const value = read(key)
        return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: true }
      },
      set: (_target, key, value: unknown) => {
        settings.set(String(key), value)
        return true
      },
      deleteProperty: (_target, key) => {
        settings.set(String(key), undefined)
        return true
      }
    }
  )
}
