/** `OrderItem` and `order_item` → `orderItem`, as LoopBack makes names of keys and relations from those of models. */
export function camelName(name: string): string {
  const [first = '', ...others] = name.split('_')
  return [lowered(first), ...others.map((part) => part.charAt(0).toUpperCase() + part.slice(1))].join('')
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
