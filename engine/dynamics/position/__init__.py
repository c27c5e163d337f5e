"""Where everything is: kinematics, inertia and its factor, tendons, transmissions, Jacobians."""
