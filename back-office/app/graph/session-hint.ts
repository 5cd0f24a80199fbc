/** The page says whether its browser has a session; only an answer says whether it still counts. */
export const hasSession =
  document.querySelector<HTMLMetaElement>('meta[name="loyalty-session"]')?.content !== 'none';
