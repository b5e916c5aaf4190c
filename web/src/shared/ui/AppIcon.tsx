/** Shows the icon that the home screen shows for the calculator. */
export const AppIcon = () => <img src="/icon.svg" alt="" width={56} height={56} className="rounded-2xl" />
