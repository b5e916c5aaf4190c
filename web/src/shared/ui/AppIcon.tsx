/** The calculator's icon, the same as on the home screen. */
export const AppIcon = () => <img src="/icon.svg" alt="" width={56} height={56} className="rounded-2xl" />
