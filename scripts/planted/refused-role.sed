# planted: a refused role let in: an app that says it is a user's tool is believed
# tests: ^HostTests\.RoleTests/.an app is one on all its connections
# in: Sources/Host/Roles/RoleRoom.swift
s/^    if let role = grantedRole\(of: connection\) \{ return role == \.app \}$/&\n    if users.contains(connection) { return false }/
