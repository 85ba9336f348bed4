import { useEffect, useState } from 'hono/jsx/dom'

/** An address within the page, such as `#/checadas?branch_office=Norte` or `#/checadas/14`. */
export interface Route {
  path: string[]
  query: Record<string, string>
}

const currentRoute = (): Route => {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  return {
    path: path.split('/').filter((part) => part !== ''),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

export const linkTo = (path: string, query: Record<string, string | undefined> = {}): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  const search = new URLSearchParams(given).toString()
  return `#/${path}${search && `?${search}`}`
}

export const useRoute = (): Route => {
  const [route, setRoute] = useState(currentRoute())
  useEffect(() => {
    const follow = () => setRoute(currentRoute())
    follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}
